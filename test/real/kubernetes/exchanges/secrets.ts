import type { Exchange } from '../exchange.ts'
import { get, patch, put, remove, secret, secrets, table } from './requests.ts'

/** Secrets, which have a type, and data in two forms. */
export const secretExchanges: readonly Exchange[] = [
  {
    title: 'a Secret of plain texts',
    method: 'POST',
    path: secrets,
    body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'b' } },
  },
  {
    title: 'a Secret that is not base64',
    method: 'POST',
    path: secrets,
    body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 't' }, data: { a: '*' } },
  },
  {
    title: 'a Secret with an unknown field',
    method: 'POST',
    path: `${secrets}?fieldValidation=Strict`,
    body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 't' }, unknown: 1 },
  },
  patch('of a Secret', `${secrets}/s`, { data: { a: null, c: 'ZA==' } }),
  patch('of the type of a Secret', `${secrets}/s`, { type: 'other' }),
  patch(
    'of a Secret by strategy',
    `${secrets}/s`,
    { data: { e: 'Zg==' } },
    'application/strategic-merge-patch+json',
  ),
  get('a Secret', `${secrets}/s`),
  get('Secrets as a table', secrets, table),
  get('Secrets by type', `${secrets}?fieldSelector=type=Opaque`),
  get('Secrets by an unknown field', `${secrets}?fieldSelector=data=x`),
  put('of a Secret without a version', `${secrets}/s`, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's' },
  }),
  {
    title: 'a Secret with a bad key',
    method: 'POST',
    path: secrets,
    body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 't' }, data: { 'a b': 'Yg==' } },
  },
  remove('of a Secret', `${secrets}/s`),
  { title: 'a POST to a Secret', method: 'POST', path: `${secrets}/s`, body: secret('s') },
  put('to all Secrets', secrets, secret('s')),
  patch('of all Secrets', secrets, {}),
  {
    title: 'a Secret with keys of dots',
    method: 'POST',
    path: secrets,
    body: { ...secret('t'), data: { '..': 'Yg==', '..a': 'Yg==', '.a': 'Yg==', '': 'Yg==' } },
  },
  { title: 'another Secret', method: 'POST', path: secrets, body: secret('u') },
  patch('of a Secret with another version of the API', `${secrets}/u`, { apiVersion: 'v9' }),
  patch('of a Secret with another kind', `${secrets}/u`, { kind: 'ConfigMap' }),
  patch('of the metadata of a Secret that are no object', `${secrets}/u`, { metadata: 'x' }),
  patch('of the data of a Secret with a number', `${secrets}/u`, { data: { a: 1 } }),
  patch('of a Secret with an unknown field, strictly', `${secrets}/u?fieldValidation=Strict`, { what: 1 }),
  patch('of a bad key of a Secret', `${secrets}/u`, { data: { 'a b': 'Yg==' } }),
  get('Secrets from a version that must match', `${secrets}?resourceVersion=0&resourceVersionMatch=Exact`),
  get('Secrets as a list', `${secrets}?labelSelector=none`),
  { title: 'a Secret in no namespace', method: 'POST', path: '/api/v1/secrets', body: secret('n') },
]
