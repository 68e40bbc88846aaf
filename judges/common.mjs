// What the judges written in JavaScript share: where the store is, the calls of
// calls.json, and how an answer is held against them.
//
// The environment is set by `run`: JUDGES_ORIGIN (the store over HTTP),
// JUDGES_CONFIG (its configuration, for stdio), SHOPKEEPER (the binary).

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { JUDGES_ORIGIN, JUDGES_CONFIG, SHOPKEEPER } = process.env;
assert.ok(JUDGES_ORIGIN && JUDGES_CONFIG && SHOPKEEPER, 'started by judges/run, which sets the environment');

export const origin = JUDGES_ORIGIN;
export const binary = SHOPKEEPER;

/** The protocols, the newest version of each, and which tools it has. */
export const PROTOCOLS = {
  ucp: { version: '2026-08-25', tools: ['search_catalog', 'lookup_catalog', 'get_product', 'search_locations', 'lookup_locations'] },
  bcp: { version: '2026-07-28', tools: ['search_catalog', 'lookup_catalog', 'get_product'] },
};

export const endpoint = (protocol) => `${origin}/${protocol}/mcp`;

/** The command that serves the same store over standard input and output. */
export const stdioCommand = (protocol) => [binary, 'stdio', JUDGES_CONFIG, '--protocol', protocol];

/** A sample platform profile, which a store in development mode publishes. */
export const platform = (protocol, version) => `${origin}/dev/platform/${protocol}/${version}.json`;

const table = JSON.parse(readFileSync(new URL('calls.json', import.meta.url), 'utf8'));

/** The calls for a protocol, each with the `meta` of a platform of `version`. */
export function callsFor(protocol, version = PROTOCOLS[protocol].version) {
  const meta = { 'ucp-agent': { profile: platform(protocol, version) } };
  const known = PROTOCOLS[protocol].tools;
  return [...table.shopping, ...table.location]
    .filter((call) => known.includes(call.tool))
    .map((call) => ({ errors: false, ...call, arguments: { meta, ...call.arguments } }));
}

/** Holds a structured answer against a call of calls.json. */
export function checkPayload(call, payload, version) {
  assert.equal(payload.ucp.version, version, `${call.tool}: ucp.version`);
  for (const [pointer, value] of Object.entries(call.expect)) {
    assert.deepEqual(at(payload, pointer), value, `${call.tool}: ${pointer}`);
  }
}

/** Holds an MCP tool result against a call: rule M9, then its payload. */
export function checkResult(call, result, version) {
  assert.equal(result.isError ?? false, call.errors, `${call.tool}: isError`);
  assert.equal(result.content?.[0]?.type, 'text', `${call.tool}: a text block`);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent, `${call.tool}: text and structuredContent`);
  checkPayload(call, result.structuredContent, version);
}

/** Runs a command to its end: { code, stdout, stderr }. */
export function run(command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8').on('data', (text) => (output[stream] += text));
    }
    child.on('error', reject).on('close', (code) => resolve({ code, ...output }));
  });
}

function at(document, pointer) {
  return pointer
    .split('/')
    .slice(1)
    .reduce((value, step) => value?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}
