// The command of the crate ucp-schema: answers of every tool, got with
// `shopkeeper call`, against the published schemas of each version.
//
// Searches are held twice: as published, where objects are open, and strictly,
// where a member that the version's schema does not name is a fault (rule C15).
// Strictness has no use for `metadata`, whose members no schema names, nor for
// reverse-domain extension members, so these are taken out before. The lookups'
// schemas are put together from parts, which the strict mode cannot read.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binary, origin, platform, run } from './common.mjs';

const { JUDGES_SHARED, JUDGES_WORK, UCP_SCHEMA } = process.env;
const ANSWERS = join(JUDGES_WORK, 'answers');
const EXTENSION = /^[a-z0-9-]+(\.[a-z0-9_-]+){2,}$/;

// Asked of the demo store: the whole catalog, then products whose shapes differ.
const PRODUCTS = [
  'prod_camiseta_algodao',
  'prod_queijo_canastra',
  'prod_geladeira_pinguim',
  'var_trilha_verde_43',
  'prod_azeite_vale_sul',
  'prod_vale_presente',
  'prod_amostra_sabonete',
  'prod_celular_aurora_10_recond',
];
const SHOPPING = [
  ['search_catalog', 'search', { query: '*', pagination: { limit: 100 } }],
  ['search_catalog', 'search', { query: 'sapato', context: { currency: 'USD', language: 'en' } }],
  ['search_catalog', 'search', { query: 'x', filters: { no_such_filter: true } }],
  ['lookup_catalog', 'lookup', { ids: [...PRODUCTS, 'no_such_id'] }],
  ...PRODUCTS.slice(0, 4).map((id) => ['get_product', 'get_product', { id }]),
];
const LOCATION = [
  ['search_locations', 'search', {}],
  ['search_locations', 'search', { serves: { address: { address_country: 'BR', postal_code: '01310-100' } } }],
  ['search_locations', 'search', { filters: { items: ['prod_corredor_pro'] } }],
  ['lookup_locations', 'lookup', { ids: ['downtown-store', 'loc_centro', 'loc_rio_branco', 'loc_porto_alegre', 'no_such_id'] }],
];
const FILES = {
  search_catalog: 'shopping/catalog_search.json',
  lookup_catalog: 'shopping/catalog_lookup.json',
  get_product: 'shopping/catalog_lookup.json',
  search_locations: 'common/location_search.json',
  lookup_locations: 'common/location_lookup.json',
};

mkdirSync(ANSWERS, { recursive: true });
await Promise.all([
  hold('ucp', '2026-08-25', [...SHOPPING, ...LOCATION]),
  hold('ucp', '2026-04-08', SHOPPING),
  hold('bcp', '2026-07-28', SHOPPING),
]);

async function hold(protocol, version, asked) {
  const schemas = join(JUDGES_SHARED, 'spec', protocol, version, 'schemas');
  for (const [index, [tool, op, request]] of asked.entries()) {
    const answer = await call(protocol, version, tool, request);
    const name = `${protocol}-${version}-${index}-${tool}`;
    await validate(`${name}.json`, answer, tool, op, schemas, false);
    if (op === 'search') await validate(`${name}.strict.json`, bare(answer), tool, op, schemas, true);
  }
  // A judge that says yes to everything proves nothing.
  const broken = { ucp: { version }, products: [{ id: 'a' }], pagination: { has_next_page: false } };
  await assert.rejects(validate(`${protocol}-${version}-broken.json`, broken, 'search_catalog', 'search', schemas, false), /title/);
  console.log(`${protocol} ${version}: ${asked.length} answers valid`);
}

async function call(protocol, version, tool, request) {
  const profile = platform(protocol, version);
  const args = ['call', origin, tool, JSON.stringify(request), '--protocol', protocol, '--profile', profile];
  const { code, stdout, stderr } = await run(binary, args);
  assert.equal(code, 0, `${tool} ${JSON.stringify(request)}: exit code ${code}: ${stdout}${stderr}`);
  const answer = JSON.parse(stdout);
  assert.equal(answer.ucp.version, version);
  return answer;
}

async function validate(name, answer, tool, op, schemas, strict) {
  const file = join(ANSWERS, name);
  writeFileSync(file, JSON.stringify(answer, null, 1));
  const options = ['--schema', join(schemas, FILES[tool]), '--response', '--op', op, '--schema-local-base', schemas];
  const { code, stdout, stderr } = await run(UCP_SCHEMA, ['validate', file, ...options, '--strict', String(strict), '--json']);
  assert.equal(code, 0, `${name}: ${stdout.slice(0, 4000)}${stderr}`);
}

function bare(value) {
  if (Array.isArray(value)) return value.map(bare);
  if (value === null || typeof value !== 'object') return value;
  const { capabilities, ...rest } = value;
  const members = Object.entries(rest).filter(([name]) => name !== 'metadata' && !EXTENSION.test(name));
  return { ...Object.fromEntries(members.map(([name, member]) => [name, bare(member)])), ...(capabilities && { capabilities }) };
}
