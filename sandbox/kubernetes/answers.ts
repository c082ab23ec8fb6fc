import { randomUUID } from 'node:crypto'
import type { Transport, TransportRequest } from '../../shared/kubernetes/transport.ts'
import { readText } from '../../shared/kubernetes/transport.ts'

/** One request and what an API server answers to it. */
export interface AnswerCase {
  readonly what: string
  readonly method: TransportRequest['method']
  /** `{things}` stands for the collection in a namespace of the run. */
  readonly path: string
  readonly body?: unknown
  /** Of a PATCH the kind of patch; else JSON. */
  readonly patch?: 'merge' | 'json' | 'strategic' | 'apply'
  readonly status: number
  /** A part of the `message` of the `Status`. */
  readonly message?: string
  /** Fields of the object that is answered, compared as far as they are given. */
  readonly answer?: object
}

const group = 'answers.trellis.gardener.cloud'

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 9 },
        color: { type: 'string', enum: ['red', 'green'] },
        maybe: { type: 'string', nullable: true },
        note: { type: 'string', maxLength: 3, pattern: '^[a-z]*$' },
        time: { type: 'string', format: 'date-time' },
        kind: {
          type: 'string',
          default: 'plain',
          'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'Value is immutable' }],
        },
        map: {
          type: 'object',
          additionalProperties: { type: 'string' },
          'x-kubernetes-validations': [{ rule: "!('bad' in self)", message: 'bad is bad' }],
        },
        list: { type: 'array', maxItems: 1, items: { type: 'string' } },
        port: { 'x-kubernetes-int-or-string': true },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
}

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: schema },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
      },
    ],
  },
}

const thing = (name: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion: `${group}/v1`,
  kind: 'Thing',
  metadata: { name, ...metadata },
  spec: { size: 1, ...spec },
})

const create = (
  what: string,
  body: unknown,
  status: number,
  message?: string,
  answer?: object,
): AnswerCase => ({
  what: `create: ${what}`,
  method: 'POST',
  path: '{things}',
  body,
  status,
  ...(message && { message }),
  ...(answer && { answer }),
})

const patch = (
  what: string,
  body: unknown,
  status: number,
  message?: string,
  answer?: object,
): AnswerCase => ({
  what: `patch: ${what}`,
  method: 'PATCH',
  patch: 'merge',
  path: '{things}/a',
  body,
  status,
  ...(message && { message }),
  ...(answer && { answer }),
})

const get = (what: string, query: string, status: number, message?: string): AnswerCase => ({
  what: `read: ${what}`,
  method: 'GET',
  path: `{things}${query}`,
  status,
  ...(message && { message }),
})

const foreignUid = '00000000-0000-0000-0000-000000000000'
const notChecked = 'some validation rules were not checked because the object was invalid'

/** What kube-apiserver 1.36 answers, in this order; the API server of the sandbox answers the same. */
export const answerCases: readonly AnswerCase[] = [
  create(
    'a default is filled in, a null is dropped, unknown fields too',
    thing('a', { note: null, maybe: null, what: 1 }),
    201,
    undefined,
    { spec: { size: 1, kind: 'plain', maybe: null } },
  ),
  create('a name that is taken', thing('a'), 409, `things.${group} "a" already exists`),
  create('no name', thing(''), 422, 'metadata.name: Required value: name or generateName is required'),
  create(
    'a bad name',
    thing('A_b'),
    422,
    'metadata.name: Invalid value: "A_b": a lowercase RFC 1123 subdomain',
  ),
  create(
    'another namespace',
    thing('x', {}, { namespace: 'other' }),
    400,
    'the namespace of the provided object does not match the namespace sent on the request',
  ),
  create(
    'a label of another type',
    thing('x', {}, { labels: { a: 1 } }),
    400,
    'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
  ),
  create(
    'a bad label',
    thing('x', {}, { labels: { a: 'b c' } }),
    422,
    'metadata.labels: Invalid value: "b c": a valid label must be an empty string or consist of',
  ),
  create(
    'a bad finalizer',
    thing('x', {}, { finalizers: ['a/b/c'] }),
    422,
    'metadata.finalizers: Invalid value: "a/b/c"',
  ),
  create(
    'an owner without anything',
    thing('x', {}, { ownerReferences: [{}] }),
    422,
    'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
  ),
  create(
    'a resource version',
    thing('x', {}, { resourceVersion: '5' }),
    500,
    'resourceVersion should not be set on objects to be created',
  ),
  create(
    'another kind',
    { ...thing('x'), kind: 'Other' },
    422,
    'kind: Invalid value: "Other": must be Thing',
  ),
  create(
    'another version',
    { ...thing('x'), apiVersion: 'v1' },
    400,
    'does not match the expected API version',
  ),
  create('no kind', { metadata: { name: 'x' } }, 400, "Object 'Kind' is missing in"),
  create('no JSON', '{', 400, "couldn't get version/kind; json parse error"),
  create(
    'a wrong type',
    thing('x', { size: 'a' }),
    422,
    `spec.size: Invalid value: "string": spec.size in body must be of type integer: "string", <nil>: Invalid value: null: ${notChecked}`,
  ),
  create(
    'a number out of range',
    thing('x', { size: 0 }),
    422,
    'spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
  ),
  create(
    'a value that is not listed',
    thing('x', { color: 'blue' }),
    422,
    'spec.color: Unsupported value: "blue": supported values: "red", "green"',
  ),
  create(
    'a text that is too long',
    thing('x', { note: 'abcd' }),
    422,
    'spec.note: Too long: may not be more than 3 bytes',
  ),
  create(
    'a text that does not match',
    thing('x', { note: 'A' }),
    422,
    `spec.note: Invalid value: "A": spec.note in body should match '^[a-z]*$'`,
  ),
  create(
    'no time',
    thing('x', { time: 'x' }),
    422,
    'spec.time: Invalid value: "x": spec.time in body must be of type date-time: "x"',
  ),
  create(
    'too many items',
    thing('x', { list: ['a', 'b'] }),
    422,
    'spec.list: Too many: 2: must have at most 1 item',
  ),
  create(
    'neither number nor text',
    thing('x', { port: true }),
    422,
    'spec.port in body must be of type integer,string: "boolean"',
  ),
  create('a broken rule', thing('x', { map: { bad: 'x' } }), 422, 'spec.map: Invalid value: bad is bad'),
  create('nothing of what is required', { ...thing('x'), spec: {} }, 422, 'spec.size: Required value'),
  {
    ...create(
      'unknown fields, strictly',
      thing('x', { what: 1, other: 2 }),
      400,
      'strict decoding error: unknown field "spec.other", unknown field "spec.what"',
    ),
    path: '{things}?fieldValidation=Strict',
  },
  {
    ...create(
      'an unknown way to try',
      thing('x'),
      422,
      'dryRun: Unsupported value: ["x"]: supported values: "All"',
    ),
    path: '{things}?dryRun=x',
  },
  { ...create('on trial', thing('dry'), 201), path: '{things}?dryRun=All' },
  get('what was on trial', '/dry', 404, `things.${group} "dry" not found`),
  get('a bad continue token', '?continue=abc', 400, 'invalid continue token'),
  get('a version to come', '?resourceVersion=99999999', 504, 'Too large resource version'),
  get(
    'no version',
    '?resourceVersion=abc',
    400,
    'invalid resource version: resourceVersion: Invalid value: "abc"',
  ),
  get(
    'a field that cannot be selected',
    '?fieldSelector=spec.size%3D1',
    400,
    'field label not supported: spec.size',
  ),
  get(
    'an exact version without one',
    '?resourceVersionMatch=Exact',
    422,
    'resourceVersionMatch is forbidden unless resourceVersion is provided',
  ),
  get(
    'a watch-list that does not say how fresh',
    '?watch=true&sendInitialEvents=true',
    422,
    'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
  ),
  get('one object is not watched by its path', '/a?watch=true', 200),
  get('an unknown subresource', '/a/nothing', 404),
  {
    what: 'replace: without a version',
    method: 'PUT',
    path: '{things}/a',
    body: thing('a'),
    status: 422,
    message: 'metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  },
  {
    what: 'replace: another name',
    method: 'PUT',
    path: '{things}/a',
    body: thing('b'),
    status: 400,
    message: 'the name of the object (b) does not match the name on the URL (a)',
  },
  {
    what: 'replace: an old version',
    method: 'PUT',
    path: '{things}/a',
    body: thing('a', {}, { resourceVersion: '1' }),
    status: 409,
    message: 'the object has been modified; please apply your changes to the latest version and try again',
  },
  {
    what: 'replace: another uid',
    method: 'PUT',
    path: '{things}/a',
    body: thing('a', {}, { resourceVersion: '1', uid: foreignUid }),
    status: 409,
    message: `Precondition failed: UID in precondition: ${foreignUid}`,
  },
  patch('the spec', { spec: { size: 2 } }, 200, undefined, { metadata: { generation: 2 } }),
  patch('nothing new', { spec: { size: 2 } }, 200, undefined, { metadata: { generation: 2 } }),
  patch('another uid', { metadata: { uid: foreignUid } }, 422, 'metadata.uid: Invalid value'),
  patch('an old version', { metadata: { resourceVersion: '1' } }, 409, 'the object has been modified'),
  patch(
    'no version',
    { metadata: { resourceVersion: null }, spec: { size: 3 } },
    422,
    'must be specified for an update',
  ),
  patch(
    'another name',
    { metadata: { name: 'b' } },
    400,
    'the name of the object (b) does not match the name on the URL (a)',
  ),
  patch(
    'no metadata',
    { metadata: null },
    400,
    'the name of the object (a based on URL) was undeterminable: name must be provided',
  ),
  patch(
    'a deletion',
    { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } },
    422,
    'metadata.deletionTimestamp: Invalid value: "2026-01-01T00:00:00Z": field is immutable',
  ),
  patch('a generation', { metadata: { generation: 50, creationTimestamp: null } }, 200, undefined, {
    metadata: { generation: 2 },
  }),
  patch(
    'what is immutable',
    { spec: { kind: 'other' } },
    422,
    'spec.kind: Invalid value: "other": Value is immutable',
  ),
  patch('what is required away', { spec: null }, 200, undefined, {}),
  patch('and back', { spec: { size: 2 } }, 200, undefined, { spec: { size: 2 } }),
  patch(
    'a list',
    [],
    400,
    'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
  ),
  {
    ...patch(
      'of a status: metadata and spec are left alone',
      {
        metadata: { uid: foreignUid, labels: { a: 'b' } },
        spec: { size: 9 },
        status: { phase: 'x', what: 1 },
      },
      200,
      undefined,
      { spec: { size: 2 }, status: { phase: 'x' } },
    ),
    path: '{things}/a/status',
  },
  {
    ...patch(
      'of a status: a wrong type',
      { status: { phase: 5 } },
      422,
      'status.phase: Invalid value: "integer": phase in body must be of type string',
    ),
    path: '{things}/a/status',
  },
  {
    ...patch(
      'JSON: a test that fails',
      [{ op: 'test', path: '/spec/size', value: 99 }],
      422,
      'the server rejected our request due to an error in our request',
    ),
    patch: 'json',
  },
  {
    ...patch(
      'JSON: a replacement of nothing',
      [{ op: 'replace', path: '/spec/note', value: 'n' }],
      200,
      undefined,
      { spec: { note: 'n' } },
    ),
    patch: 'json',
  },
  { ...patch('strategic', {}, 415, 'application/merge-patch+json'), patch: 'strategic' },
  {
    ...patch(
      'apply without a manager',
      thing('a'),
      422,
      'fieldManager: Required value: is required for apply patch',
    ),
    patch: 'apply',
  },
  {
    ...patch('apply, a new object', thing('applied'), 201),
    patch: 'apply',
    path: '{things}/applied?fieldManager=one',
  },
  {
    ...patch(
      'apply, a conflict',
      thing('applied', { size: 5 }),
      409,
      'Apply failed with 1 conflict: conflict with "one": .spec.size',
    ),
    patch: 'apply',
    path: '{things}/applied?fieldManager=two',
  },
  {
    ...patch('apply, several conflicts', thing('applied', { size: 5 }), 200),
    patch: 'apply',
    path: '{things}/applied?fieldManager=two&force=true',
  },
  {
    what: 'delete: another uid',
    method: 'DELETE',
    path: '{things}/a',
    body: { preconditions: { uid: 'x' } },
    status: 409,
    message: 'the UID in the precondition (x) does not match the UID in record',
  },
  {
    what: 'delete: an unknown policy',
    method: 'DELETE',
    path: '{things}/a',
    body: { propagationPolicy: 'x' },
    status: 422,
    message: 'propagationPolicy: Unsupported value: "x"',
  },
  patch('a finalizer', { metadata: { finalizers: ['example.com/hold'] } }, 200),
  {
    what: 'delete: is marked while it is held',
    method: 'DELETE',
    path: '{things}/a',
    status: 200,
    answer: { kind: 'Thing', metadata: { deletionGracePeriodSeconds: 0, finalizers: ['example.com/hold'] } },
  },
  patch(
    'another finalizer, too late',
    { metadata: { finalizers: ['example.com/hold', 'example.com/new'] } },
    422,
    'no new finalizers can be added if the object is being deleted',
  ),
  patch('the last finalizer away', { metadata: { finalizers: null } }, 200),
  get('what is gone', '/a', 404, `things.${group} "a" not found`),
  {
    what: 'delete: of all that is selected',
    method: 'DELETE',
    path: '{things}?fieldSelector=metadata.name%3Dapplied',
    status: 200,
    answer: { kind: 'ThingList', items: [{ metadata: { name: 'applied' } }] },
  },
]

/** What came back: the JSON, or the text where it is none. */
export interface Received {
  readonly status: number
  readonly body: unknown
}

const mediaTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

/** Defines the kind and a namespace of its own; the function sends a case. */
export const prepareAnswers = async (
  send: Transport,
  pause: () => Promise<void>,
): Promise<(one: AnswerCase) => Promise<Received>> => {
  const ask = async (
    method: TransportRequest['method'],
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<Received> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const headers = { accept: 'application/json', 'content-type': type }
    const response = await send({ method, path, headers, ...(body === undefined ? {} : { body: text }) })
    const answer = await readText(response.body)
    return { status: response.status, body: answer.startsWith('{') ? JSON.parse(answer) : answer }
  }

  const namespace = `answers-${randomUUID().slice(0, 8)}`
  const things = `/apis/${group}/v1/namespaces/${namespace}/things`
  await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  await ask('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  })
  // A new definition is served in part before it is served for writing.
  for (let tries = 0; tries < 100; tries++) {
    const { status } = await ask('POST', `${things}?dryRun=All`, thing('probe'))
    if (status === 201) break
    await pause()
  }
  return one =>
    ask(one.method, one.path.replace('{things}', things), one.body, one.patch && mediaTypes[one.patch])
}
