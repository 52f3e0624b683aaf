CREATE TABLE "api_key_uses" (
	"api_key_id" uuid NOT NULL,
	"day" date NOT NULL,
	"requests" bigint NOT NULL,
	CONSTRAINT "api_key_uses_api_key_id_day_pk" PRIMARY KEY("api_key_id","day"),
	CONSTRAINT "api_key_uses_requests" CHECK ("api_key_uses"."requests" > 0)
);
--> statement-breakpoint
ALTER TABLE "api_key_uses" ADD CONSTRAINT "api_key_uses_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;