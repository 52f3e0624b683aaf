// A self-signed certificate of `localhost` for mail servers of tests, and its key. Made by: openssl req -x509 -newkey ec
// -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=localhost -addext subjectAltName=DNS:localhost

export const mailCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUSRUrmjVUwmC3rQzgjWtFuUkITHEwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDE1NDEzN1oYDzIxMjYxMTA2
MTU0MTM3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQyTpRhuyn6D8vFLaeN+ajAiSE6z+Y/VZf60SPtaDS+80D2XNvs1qhM
lRt57YjmXi0nSabg8j3XS60F2OWM9djTo2kwZzAdBgNVHQ4EFgQUGaalD0hNudIz
itZn2OPs54b9rQEwHwYDVR0jBBgwFoAUGaalD0hNudIzitZn2OPs54b9rQEwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgVEPBp700NDjOUB8Y8BeUcfRDCuzuVCGpMAnO9Y5bytgCIGXsmh0SLoqV
B0kto+5/LiHsalYzXAvQcejOxQP/R1ps
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAZdIsJJ9fHRrXI4K
drTtcWRulo6wWjwfVHk0xLIU4zqhRANCAAQyTpRhuyn6D8vFLaeN+ajAiSE6z+Y/
VZf60SPtaDS+80D2XNvs1qhMlRt57YjmXi0nSabg8j3XS60F2OWM9djT
-----END PRIVATE KEY-----
`,
};
