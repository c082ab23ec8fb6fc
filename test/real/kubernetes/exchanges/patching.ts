import type { Exchange } from '../exchange.ts'
import { gadgets, get, group, noUid, patch, widgets } from './requests.ts'

/** Patches of Widgets and of their status. */
export const patching: readonly Exchange[] = [
  patch('nothing', `${widgets}/a`, {}),
  patch('a spec', `${widgets}/a`, { spec: { size: 2 } }),
  patch('of an object that is not there', `${widgets}/none`, { spec: { size: 2 } }),
  patch('that breaks the schema', `${widgets}/a`, { spec: { size: 0 } }),
  patch('that breaks a rule', `${widgets}/a`, { spec: { shape: 'square' } }),
  patch('at another version', `${widgets}/a`, { metadata: { resourceVersion: '1' }, spec: { size: 3 } }),
  patch('at version 0', `${widgets}/a`, { metadata: { resourceVersion: '0' }, spec: { size: 4 } }),
  patch('at a version that is none', `${widgets}/a`, {
    metadata: { resourceVersion: 'x' },
    spec: { size: 3 },
  }),
  patch('with another uid', `${widgets}/a`, { metadata: { uid: noUid }, spec: { size: 3 } }),
  patch('with another name', `${widgets}/a`, { metadata: { name: 'other' } }),
  patch('with another namespace', `${widgets}/a`, { metadata: { namespace: 'other' } }),
  patch('with another kind', `${widgets}/a`, { kind: 'Gadget' }),
  patch('with another version of the API', `${widgets}/a`, { apiVersion: `${group}/v9` }),
  patch('of fields that only the server sets', `${widgets}/a`, {
    metadata: { generation: 99, creationTimestamp: null },
  }),
  patch('of metadata that is no object', `${widgets}/a`, { metadata: 'x' }),
  patch('of a spec that is gone', `${widgets}/a`, { spec: null }),
  patch('that is a list', `${widgets}/a`, []),
  patch('that is broken', `${widgets}/a`, '{'),
  patch('that is empty', `${widgets}/a`, ''),
  patch('with a strategic merge', `${widgets}/a`, {}, 'application/strategic-merge-patch+json'),
  patch('of an unknown form', `${widgets}/a`, {}, 'application/json'),
  patch(
    'with a JSON patch',
    `${widgets}/a`,
    [{ op: 'replace', path: '/spec/size', value: 5 }],
    'application/json-patch+json',
  ),
  patch(
    'with a JSON patch whose test fails',
    `${widgets}/a`,
    [{ op: 'test', path: '/spec/size', value: 9 }],
    'application/json-patch+json',
  ),
  patch(
    'with a JSON patch of nothing',
    `${widgets}/a`,
    [{ op: 'remove', path: '/spec/none' }],
    'application/json-patch+json',
  ),
  patch('with a JSON patch that is none', `${widgets}/a`, {}, 'application/json-patch+json'),
  patch('dry', `${widgets}/a?dryRun=All`, { spec: { size: 77 } }),
  get('the object after the dry patch', `${widgets}/a`),
  patch('with an unknown field, strictly', `${widgets}/a?fieldValidation=Strict`, { spec: { unknown: 1 } }),
  patch('of the status', `${widgets}/a/status`, { status: { phase: 'Ready' } }),
  patch('of the status at another version', `${widgets}/a/status`, {
    metadata: { resourceVersion: '1' },
    status: { phase: 'Late' },
  }),
  patch('of the status that is no object', `${widgets}/a/status`, { status: 'x' }),
  patch('of labels over the status', `${widgets}/a/status`, {
    metadata: { labels: { a: 'b' }, annotations: { a: 'b' }, finalizers: ['a.io/b'] },
  }),
  get('the status', `${widgets}/a/status`),
  patch('of a status that is not there', `${gadgets}/none/status`, { status: {} }),
  patch('of labels with a number', `${widgets}/a`, { metadata: { labels: { a: 1 } } }),
]
