import { type AnswerCase, group, thing } from './answers.ts'

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

const notChecked = 'some validation rules were not checked because the object was invalid'

/** Responses of kube-apiserver 1.36 to creations. The first one creates the object of the later cases. */
export const creationCases: readonly AnswerCase[] = [
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
  create(
    'more levels than any decoder takes',
    `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    400,
    'exceeded max depth',
  ),
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
]
