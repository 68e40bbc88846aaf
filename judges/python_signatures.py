"""The Python package `http-message-signatures`: it signs calls and verifies answers.

It starts a store of its own that requires signatures, with a key that `keys new`
made, and publishes the profile of a platform for each algorithm on loopback.
"""

import base64
import http.server
import json
import os
import re
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request
from pathlib import Path
from types import SimpleNamespace

from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from http_message_signatures import HTTPMessageSigner, HTTPMessageVerifier, HTTPSignatureKeyResolver
from http_message_signatures.algorithms import ECDSA_P256_SHA256, ECDSA_P384_SHA384, ED25519

from python_calls import ORIGIN, VERSIONS

ALGORITHMS = {
    "es256": (ECDSA_P256_SHA256, lambda: ec.generate_private_key(ec.SECP256R1())),
    "es384": (ECDSA_P384_SHA384, lambda: ec.generate_private_key(ec.SECP384R1())),
    "ed25519": (ED25519, ed25519.Ed25519PrivateKey.generate),
}
CURVES = {"P-256": ec.SECP256R1, "P-384": ec.SECP384R1}
COVERED = ("@method", "@authority", "@path", "content-type")


def encode(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def to_jwk(kid, key):
    public = key.public_key()
    if isinstance(public, ed25519.Ed25519PublicKey):
        return {"kid": kid, "kty": "OKP", "crv": "Ed25519", "x": encode(public.public_bytes_raw())}
    size = public.curve.key_size // 8
    numbers = public.public_numbers()
    x, y = (encode(number.to_bytes(size, "big")) for number in (numbers.x, numbers.y))
    return {"kid": kid, "kty": "EC", "crv": f"P-{public.curve.key_size}", "x": x, "y": y}


def from_jwk(jwk):
    if jwk["kty"] == "OKP":
        return ed25519.Ed25519PublicKey.from_public_bytes(decode(jwk["x"]))
    x, y = (int.from_bytes(decode(jwk[name]), "big") for name in "xy")
    return ec.EllipticCurvePublicNumbers(x, y, CURVES[jwk["crv"]]()).public_key()


class Keys(HTTPSignatureKeyResolver):
    def __init__(self, private=None, public=None):
        self.private, self.public = private or {}, public or {}

    def resolve_private_key(self, key_id):
        return self.private[key_id]

    def resolve_public_key(self, key_id):
        return self.public[key_id]


def get(url):
    with urllib.request.urlopen(url, timeout=20) as response:
        return json.load(response)


def platforms(keys):
    """Serves the sample platform's profile with `keys`; the URL of it."""
    profile = get(f"{ORIGIN}/dev/platform/ucp/{VERSIONS['ucp']}.json")
    profile["keys"] = [to_jwk(kid, key) for kid, key in keys.items()]
    body = json.dumps(profile).encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/profile.json"


def post(request):
    call = urllib.request.Request(request.url, request.body, request.headers, method="POST")
    try:
        response = urllib.request.urlopen(call, timeout=20)
    except urllib.error.HTTPError as refused:
        response = refused
    with response:
        body = response.read()
        return SimpleNamespace(status_code=response.status, headers=dict(response.headers), body=body)


def try_store(name, origin, keys, profile):
    published = get(f"{origin}/.well-known/ucp")["keys"]
    store = Keys(public={jwk["kid"]: from_jwk(jwk) for jwk in published})
    verifier = HTTPMessageVerifier(signature_algorithm=ALGORITHMS[name][0], key_resolver=store)
    arguments = {"meta": {"ucp-agent": {"profile": profile}}, "catalog": {"query": "*"}}
    params = {"name": "search_catalog", "arguments": arguments}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    for kid, key in keys.items():
        headers = {"Content-Type": "application/json"}
        request = SimpleNamespace(method="POST", url=f"{origin}/ucp/mcp", headers=headers, body=body)
        unsigned = post(request)
        assert unsigned.status_code == 401, unsigned
        signer = HTTPMessageSigner(signature_algorithm=ALGORITHMS[kid][0], key_resolver=Keys({kid: key}))
        signer.sign(request, key_id=kid, covered_component_ids=COVERED, body=body)
        answer = post(request)
        assert answer.status_code == 200 and "result" in json.loads(answer.body), answer
        request.body = body + b" "
        spoilt = post(request)
        assert spoilt.status_code == 400, spoilt
        for response in (unsigned, answer, spoilt):
            verify(verifier, response)
        print(f"a call signed by {kid}, answers by {name}: ok")


def verify(verifier, response):
    covered = ("@status", "content-digest", "content-type")
    results = verifier.verify(response, body=response.body, require_components=covered)
    assert len(results) == 1, results


def main():
    keys = {kid: make() for kid, (_, make) in ALGORITHMS.items()}
    profile = platforms(keys)
    for name in ALGORITHMS:
        with tempfile.TemporaryDirectory() as folder:
            file = str(Path(folder) / "key.pem")
            subprocess.run([os.environ["SHOPKEEPER"], "keys", "new", "--algorithm", name, file], check=True)
            settings = {
                "SHOPKEEPER_SECURITY_SIGNATURES": "required",
                "SHOPKEEPER_SECURITY_SIGNING_KEY": file,
                "SHOPKEEPER_DATA_DIR": str(Path(folder) / "data"),
                "SHOPKEEPER_SERVER_DEV": "true",
            }
            command = [os.environ["SHOPKEEPER"], "serve", os.environ["JUDGES_CONFIG"], "--listen", "127.0.0.1:0"]
            store = subprocess.Popen(command, env=os.environ | settings, stdout=subprocess.PIPE, text=True)
            try:
                lines = (re.search(r"endpoint +(http://[^/]+)/ucp/mcp", line) for line in store.stdout)
                origin = next(found[1] for found in lines if found)
                try_store(name, origin, keys, profile)
            finally:
                store.terminate()
                store.wait(20)


main()
