import type { Exchange } from './exchange.ts'

export const namespace = 'exchange'
const group = 'contract.trellis.gardener.cloud'
const apiVersion = `${group}/v1`
const widgets = `/apis/${apiVersion}/namespaces/${namespace}/widgets`
const gadgets = `/apis/${apiVersion}/gadgets`
const secrets = `/api/v1/namespaces/${namespace}/secrets`
const configMaps = `/api/v1/namespaces/${namespace}/configmaps`
const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`
const merge = 'application/merge-patch+json'
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const metadataOnly = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
const metadataList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

const widget = (name: string, metadata: object = {}, spec: object = { size: 1 }) => ({
  apiVersion,
  kind: 'Widget',
  metadata: { name, namespace, ...metadata },
  spec,
})

const post = (title: string, body: object | string, query = '', contentType?: string): Exchange => ({
  title,
  method: 'POST',
  path: widgets + query,
  body,
  ...(contentType === undefined ? {} : { contentType }),
})

const get = (title: string, path: string, accept?: string): Exchange => ({
  title,
  method: 'GET',
  path,
  ...(accept === undefined ? {} : { accept }),
})

const patch = (title: string, path: string, body: object | string, contentType = merge): Exchange => ({
  title,
  method: 'PATCH',
  path,
  body,
  contentType,
})

const put = (title: string, path: string, body: object | string): Exchange => ({
  title,
  method: 'PUT',
  path,
  body,
})

const remove = (title: string, path: string, body?: object | string): Exchange => ({
  title,
  method: 'DELETE',
  path,
  ...(body === undefined ? {} : { body }),
})

const secret = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  data: { a: 'Yg==' },
})

const noUid = '00000000-0000-0000-0000-000000000000'
const options = (more: object) => ({ kind: 'DeleteOptions', apiVersion: 'v1', ...more })

/** A conversation: each request finds what those before it have left. */
export const exchanges: readonly Exchange[] = [
  get('an object that is not there', `${widgets}/none`),
  get('an object in a namespace that is not there', `/apis/${apiVersion}/namespaces/none/widgets/none`),
  get('a resource that is not there', `/apis/${apiVersion}/namespaces/${namespace}/thingies`),
  get('a version that is not there', `/apis/${group}/v9/widgets`),
  get('a group that is not there', '/apis/none.example.com/v1/things'),
  get('a core resource that is not there', `/api/v1/namespaces/${namespace}/thingies`),
  get('a path that is not there', '/nothing'),
  get('a subresource that is not there', `${widgets}/a/scale`),
  get('an empty list', widgets),
  get('an empty list of Secrets', secrets),

  post('a Widget', widget('a')),
  post('a Widget that is there', widget('a')),
  post('a Widget with every metadata field that clients may not set', {
    ...widget('ignored', {
      uid: noUid,
      generation: 7,
      creationTimestamp: '2001-01-01T00:00:00Z',
      deletionTimestamp: '2001-01-01T00:00:00Z',
      selfLink: '/x',
    }),
    status: { phase: 'Lost' },
  }),
  post('a Widget with a version', widget('versioned', { resourceVersion: '1' })),
  post('a Widget without a name', widget('')),
  post('a Widget with a bad name', widget('A_b')),
  post('a Widget with a name that is too long', widget('x'.repeat(254))),
  post('a Widget with a bad generateName', { ...widget(''), metadata: { generateName: 'A_' } }),
  post('a Widget of another namespace', { ...widget('b'), metadata: { name: 'b', namespace: 'other' } }),
  post('a Widget without a namespace', { ...widget('nameless'), metadata: { name: 'nameless' } }),
  post('another kind', { ...widget('b'), kind: 'Gadget' }),
  post('another version', { ...widget('b'), apiVersion: `${group}/v9` }),
  post('no kind', { apiVersion, metadata: { name: 'b' }, spec: { size: 1 } }),
  post('no apiVersion', { kind: 'Widget', metadata: { name: 'b' }, spec: { size: 1 } }),
  post('bad labels and annotations', widget('b', { labels: { 'a b': 'c d' }, annotations: { 'a b': 'c' } })),
  post('a label that is too long', widget('b', { labels: { a: 'x'.repeat(64) } })),
  post('a label that is no text', widget('b', { labels: { a: 1 } })),
  post('a finalizer without a domain', widget('b', { finalizers: ['hold'] })),
  post('a bad finalizer', widget('b', { finalizers: ['a b/c'] })),
  post('a bad owner', widget('b', { ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] })),
  post('no spec', { apiVersion, kind: 'Widget', metadata: { name: 'b' } }),
  post('a spec that is no object', { ...widget('b'), spec: 'x' }),
  post('a spec that is null', { ...widget('b'), spec: null }),
  post('many faults', widget('b', {}, { size: -1.5, color: 'blue', parts: 'x', extra: [] })),
  post('a size that is a text', widget('b', {}, { size: '1' })),
  post('a size that is a fraction', widget('b', {}, { size: 1.5 })),
  post('a size that is null', widget('b', {}, { size: null })),
  post('a default that is null', widget('c', {}, { size: 1, shape: null })),
  post('a fault within a list', widget('b', {}, { size: 1, parts: ['a', 2, null] })),
  post('an unknown field', widget('d', {}, { size: 1, unknown: 1 })),
  post('an unknown field, strictly', widget('e', {}, { size: 1, unknown: 1 }), '?fieldValidation=Strict'),
  post('an unknown field, with a warning', widget('f', {}, { size: 1, unknown: 1 }), '?fieldValidation=Warn'),
  post('a wish for an unknown validation', widget('g'), '?fieldValidation=Whatever'),
  post('a dry run', widget('dry'), '?dryRun=All'),
  get('nothing after the dry run', `${widgets}/dry`),
  post('an unknown dry run', widget('dry'), '?dryRun=Some'),
  post('broken JSON', '{"apiVersion":'),
  post('no body', ''),
  post('a list', '[]'),
  post(
    'a field twice',
    `{"apiVersion":"${apiVersion}","kind":"Widget","metadata":{"name":"twice"},"spec":{"size":1,"size":2}}`,
  ),
  post(
    'YAML',
    `apiVersion: ${apiVersion}\nkind: Widget\nmetadata: {name: yaml}\nspec: {size: 1}\n`,
    '',
    'application/yaml',
  ),
  post('text', 'x', '', 'text/plain'),
  {
    title: 'a Widget in a namespace that is not there',
    method: 'POST',
    path: `/apis/${apiVersion}/namespaces/none/widgets`,
    body: { ...widget('a'), metadata: { name: 'a' } },
  },
  { title: 'a POST to an object', method: 'POST', path: `${widgets}/a`, body: widget('a') },
  { title: 'a PUT to a collection', method: 'PUT', path: widgets, body: widget('a') },
  { title: 'a PATCH of a collection', method: 'PATCH', path: widgets, body: {}, contentType: merge },

  get('a Widget', `${widgets}/a`),
  get('a Widget as a table', `${widgets}/a`, table),
  get('Widgets as a table', `${widgets}?limit=2&labelSelector=none`, table),
  get('the metadata of a Widget', `${widgets}/a`, metadataOnly),
  get('the metadata of Widgets', `${widgets}?fieldSelector=metadata.name=a`, metadataList),
  get('a Widget as HTML', `${widgets}/a`, 'text/html'),
  get('a bad label selector', `${widgets}?labelSelector=a%20b`),
  get('a bad set in a label selector', `${widgets}?labelSelector=a%20in%20b`),
  get('a bad field selector', `${widgets}?fieldSelector=a`),
  get('a field selector that is not supported', `${widgets}?fieldSelector=spec.size=1`),
  get('a limit that is no number', `${widgets}?limit=x`),
  get('a limit below zero', `${widgets}?limit=-1`),
  get('a continue token that is none', `${widgets}?limit=1&continue=x`),
  get('a continue token with a version', `${widgets}?limit=1&continue=x&resourceVersion=1`),
  get('a list of a version that is none', `${widgets}?resourceVersion=x`),
  get('a match of version 0', `${widgets}?resourceVersion=0&resourceVersionMatch=Exact`),
  get('a match with a continue token', `${widgets}?continue=x&resourceVersion=1&resourceVersionMatch=Exact`),
  get('a version match without a version', `${widgets}?resourceVersionMatch=Exact`),
  get('an unknown version match', `${widgets}?resourceVersion=1&resourceVersionMatch=Sometimes`),
  get('a watch from a version that is none', `${widgets}?watch=true&resourceVersion=x`),
  get('a watch with initial events and no match', `${widgets}?watch=true&sendInitialEvents=true`),
  get('a watch that is over at once', `${widgets}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name=a`),
  get(
    'a watch of nothing',
    `${widgets}?watch=true&timeoutSeconds=1&resourceVersion=0&fieldSelector=metadata.name=none`,
  ),

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
  patch('of fields that nobody may set', `${widgets}/a`, {
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
  get('what the dry patch left', `${widgets}/a`),
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

  put('without a version', `${widgets}/a`, widget('a')),
  put('with a version that is none', `${widgets}/a`, widget('a', { resourceVersion: 'x' })),
  put('at another version', `${widgets}/a`, widget('a', { resourceVersion: '1' })),
  put('of another name', `${widgets}/a`, widget('b', { resourceVersion: '1' })),
  put('of what is not there', `${widgets}/none`, widget('none')),
  put('of what is not there, with a version', `${widgets}/none`, widget('none', { resourceVersion: '1' })),
  put('of the status without a version', `${widgets}/a/status`, { ...widget('a'), status: { phase: 'Put' } }),

  remove('of what is not there', `${widgets}/none`),
  remove('with another uid', `${widgets}/a`, options({ preconditions: { uid: noUid } })),
  remove('with another version', `${widgets}/a`, options({ preconditions: { resourceVersion: '1' } })),
  remove('with an unknown policy', `${widgets}/a`, options({ propagationPolicy: 'Sometimes' })),
  remove(
    'with two policies',
    `${widgets}/f`,
    options({ propagationPolicy: 'Background', orphanDependents: true }),
  ),
  remove('with broken options', `${widgets}/a`, '{'),
  remove('dry', `${widgets}/a?dryRun=All`),
  remove('with grace', `${widgets}/c`, options({ gracePeriodSeconds: 30 })),
  post('a held Widget', widget('held', { finalizers: ['example.com/hold'] })),
  remove('of a held Widget', `${widgets}/held`),
  remove('of a held Widget again', `${widgets}/held`),
  patch('of a Widget that goes', `${widgets}/held`, { spec: { size: 2 } }),
  patch('of its finalizers', `${widgets}/held`, {
    metadata: { finalizers: ['example.com/hold', 'example.com/more'] },
  }),
  post('a Widget in place of one that goes', widget('held')),
  patch('that lets it go', `${widgets}/held`, { metadata: { finalizers: null } }),
  post('a Widget that waits for its dependents', widget('front')),
  remove('in the foreground', `${widgets}/front`, options({ propagationPolicy: 'Foreground' })),
  post('a Widget that lets its dependents be', widget('orphan')),
  remove('that leaves orphans', `${widgets}/orphan`, options({ propagationPolicy: 'Orphan' })),
  remove('of all with a label', `${widgets}?labelSelector=none`),
  remove('of one by its query', `${widgets}/d?propagationPolicy=Background`),

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

  {
    title: 'a Namespace',
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'exchange-two' } },
  },
  {
    title: 'a Namespace with a bad name',
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'Exchange.two' } },
  },
  get('a Namespace', '/api/v1/namespaces/exchange-two'),
  get('a Namespace as a table', '/api/v1/namespaces/exchange-two', table),
  {
    title: 'a ConfigMap',
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/configmaps`,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b' } },
  },
  {
    title: 'a ConfigMap whose data are no texts',
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/configmaps`,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c2' }, data: { a: 1 } },
  },
  {
    title: 'a Lease',
    method: 'POST',
    path: `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
    body: {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: { holderIdentity: 'x', leaseDurationSeconds: 15 },
    },
  },
  {
    title: 'a Lease without a duration',
    method: 'POST',
    path: `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
    body: {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l2' },
      spec: { holderIdentity: 'x', leaseDurationSeconds: 0 },
    },
  },

  {
    title: 'a Gadget',
    method: 'POST',
    path: gadgets,
    body: { apiVersion, kind: 'Gadget', metadata: { name: 'g' }, any: { thing: 1 }, status: { a: 1 } },
  },
  patch('of a Gadget without a status subresource', `${gadgets}/g`, { status: { b: 2 } }),
  patch('of its metadata alone', `${gadgets}/g`, { metadata: { labels: { a: 'b' } } }),
  patch('of its status subresource', `${gadgets}/g/status`, { status: {} }),
  {
    title: 'a Gadget in a namespace',
    method: 'POST',
    path: gadgets,
    body: { apiVersion, kind: 'Gadget', metadata: { name: 'h', namespace } },
  },
  get('a namespaced path of a cluster resource', `/apis/${apiVersion}/namespaces/${namespace}/gadgets/g`),
  remove('of a Gadget', `${gadgets}/g`),

  { title: 'a POST to a Secret', method: 'POST', path: `${secrets}/s`, body: secret('s') },
  put('to all Secrets', secrets, secret('s')),
  patch('of all Secrets', secrets, {}),
  post('a Widget with a prefix that ends in a dash', widget('', { generateName: 'A-' })),
  {
    title: 'a Secret with keys of dots',
    method: 'POST',
    path: secrets,
    body: { ...secret('t'), data: { '..': 'Yg==', '..a': 'Yg==', '.a': 'Yg==', '': 'Yg==' } },
  },
  {
    title: 'a ConfigMap with bad keys',
    method: 'POST',
    path: configMaps,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c3' }, data: { 'a/b': '' } },
  },
  {
    title: 'a ConfigMap with bad binary keys',
    method: 'POST',
    path: configMaps,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c3' }, binaryData: { 'a/b': 'Yg==' } },
  },
  {
    title: 'a ConfigMap with a key in both',
    method: 'POST',
    path: configMaps,
    body: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c3' },
      data: { a: 'b' },
      binaryData: { a: 'Yg==' },
    },
  },
  { title: 'another Secret', method: 'POST', path: secrets, body: secret('u') },
  patch('of a Secret with another version of the API', `${secrets}/u`, { apiVersion: 'v9' }),
  patch('of a Secret with another kind', `${secrets}/u`, { kind: 'ConfigMap' }),
  patch('of the metadata of a Secret that are no object', `${secrets}/u`, { metadata: 'x' }),
  patch('of the data of a Secret with a number', `${secrets}/u`, { data: { a: 1 } }),
  patch('of labels with a number', `${widgets}/a`, { metadata: { labels: { a: 1 } } }),
  patch('of a Secret with an unknown field, strictly', `${secrets}/u?fieldValidation=Strict`, { what: 1 }),
  patch('of a bad key of a Secret', `${secrets}/u`, { data: { 'a b': 'Yg==' } }),
  patch('of the duration of a Lease', `${leases}/l`, { spec: { leaseDurationSeconds: -1 } }),
  patch('of the transitions of a Lease', `${leases}/l`, { spec: { leaseTransitions: -1 } }),
  patch('of the holder of a Lease', `${leases}/l`, { spec: { holderIdentity: '' } }),
  remove(
    'of all with two policies',
    widgets,
    options({ propagationPolicy: 'Orphan', orphanDependents: false }),
  ),
  remove('that leaves orphans in the old way', `${widgets}/e`, options({ orphanDependents: true })),
  get('Secrets from a version that must match', `${secrets}?resourceVersion=0&resourceVersionMatch=Exact`),
  get('Secrets as a list', `${secrets}?labelSelector=none`),
  get('an unknown resource of a group that is built in', '/apis/coordination.k8s.io/v1/nothing'),
  get('an unknown resource of a custom group', `/apis/${apiVersion}/nothing`),
  get('an unknown version of a custom group', `/apis/${group}/v9/widgets`),
  get('an unknown group', '/apis/unknown.example.com/v1/widgets'),
  get('Namespaces in a namespace', `/api/v1/namespaces/${namespace}/namespaces`),
  {
    title: 'a Widget in no namespace',
    method: 'POST',
    path: `/apis/${apiVersion}/widgets`,
    body: widget('n'),
  },
  { title: 'a Secret in no namespace', method: 'POST', path: '/api/v1/secrets', body: secret('n') },

  get('the discovery of the group', `/apis/${group}`),
  get('the discovery of the version', `/apis/${apiVersion}`),
  get('readiness', '/readyz'),
]
