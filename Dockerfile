# One image for all processes: `node scripts/<web|worker|realtime|migrate>.ts`.
# The version of the npm package `node`, which runs the service outside of the image.
ARG NODE_VERSION=24.21.0

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# docker build --build-arg GIT_COMMIT=$(git rev-parse HEAD): stated by /api/health/live. The image contains no repository.
ARG GIT_COMMIT
# The final image has its own Node.js.
RUN npm run build && npm prune --omit=dev \
  && rm -rf .next/cache node_modules/node node_modules/.bin/node

FROM node:${NODE_VERSION}-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 DATA_DIR=/data PORT=3000 NODE_COMPILE_CACHE=/data/compile-cache \
    NODE_OPTIONS=--import=/app/scripts/preload.mjs
# Files of requests and generated secrets. The user cannot write the program.
RUN install -d -o node -g node -m 0700 /data
COPY --from=build /app /app
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "scripts/probe.ts", "http://127.0.0.1:3000/api/health/live"]
CMD ["node", "scripts/web.ts"]
