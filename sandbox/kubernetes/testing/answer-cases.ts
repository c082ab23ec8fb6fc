import { type AnswerCase, group, thing } from './answers.ts'
import { creationCases } from './creation-cases.ts'

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

const replace = (what: string, body: unknown, status: number, message: string): AnswerCase => ({
  what: `replace: ${what}`,
  method: 'PUT',
  path: '{things}/a',
  body,
  status,
  message,
})

const get = (what: string, query: string, status: number, message?: string): AnswerCase => ({
  what: `read: ${what}`,
  method: 'GET',
  path: `{things}${query}`,
  status,
  ...(message && { message }),
})

const foreignUid = '00000000-0000-0000-0000-000000000000'

/** Responses of kube-apiserver 1.36, in this order. The sandbox's API server returns the same. */
export const answerCases: readonly AnswerCase[] = [
  ...creationCases,
  get('the object of a dry run', '/dry', 404, `things.${group} "dry" not found`),
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
  replace(
    'without a version',
    thing('a'),
    422,
    'metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  ),
  replace(
    'another name',
    thing('b'),
    400,
    'the name of the object (b) does not match the name on the URL (a)',
  ),
  replace(
    'an old version',
    thing('a', {}, { resourceVersion: '1' }),
    409,
    'the object has been modified; please apply your changes to the latest version and try again',
  ),
  replace(
    'another uid',
    thing('a', {}, { resourceVersion: '1', uid: foreignUid }),
    409,
    `Precondition failed: UID in precondition: ${foreignUid}`,
  ),
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
    'an immutable field',
    { spec: { kind: 'other' } },
    422,
    'spec.kind: Invalid value: "other": Value is immutable',
  ),
  patch('a removal of the required spec', { spec: null }, 200, undefined, {}),
  patch('the spec again', { spec: { size: 2 } }, 200, undefined, { spec: { size: 2 } }),
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
  get('the deleted object', '/a', 404, `things.${group} "a" not found`),
  {
    what: 'delete: of all that is selected',
    method: 'DELETE',
    path: '{things}?fieldSelector=metadata.name%3Dapplied',
    status: 200,
    answer: { kind: 'ThingList', items: [{ metadata: { name: 'applied' } }] },
  },
]
