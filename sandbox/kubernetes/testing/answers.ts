import { randomUUID } from 'node:crypto'
import type { Transport, TransportRequest } from '../../../shared/kubernetes/kubernetes.ts'
import { readText } from '../../../shared/kubernetes/kubernetes.ts'

/** A request and the response of an API server. */
export interface AnswerCase {
  readonly what: string
  readonly method: TransportRequest['method']
  /** `{things}` is replaced by the collection in a namespace of the run. */
  readonly path: string
  readonly body?: unknown
  /** The kind of patch of a PATCH. Absent: JSON. */
  readonly patch?: 'merge' | 'json' | 'strategic' | 'apply'
  readonly status: number
  /** A part of the `message` of the `Status`. */
  readonly message?: string
  /** Fields of the returned object. Only these are compared. */
  readonly answer?: object
}

/** The group of the kind in the cases. */
export const group = 'answers.trellis.gardener.cloud'

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

/** Returns a `Thing` of the run. Valid unless something is added. */
export const thing = (name: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion: `${group}/v1`,
  kind: 'Thing',
  metadata: { name, ...metadata },
  spec: { size: 1, ...spec },
})

/** The received body: JSON, or text if it is not JSON. */
export interface ReceivedAnswer {
  readonly status: number
  readonly body: unknown
}

const mediaTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

/** Defines the kind and creates a namespace. Returns a function that sends a case. */
export const prepareAnswers = async (
  send: Transport,
  pause: () => Promise<void>,
): Promise<(one: AnswerCase) => Promise<ReceivedAnswer>> => {
  const ask = async (
    method: TransportRequest['method'],
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<ReceivedAnswer> => {
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
  // A new definition can be read before it can be written.
  for (let tries = 0; tries < 100; tries++) {
    const { status } = await ask('POST', `${things}?dryRun=All`, thing('probe'))
    if (status === 201) break
    await pause()
  }
  return one =>
    ask(one.method, one.path.replace('{things}', things), one.body, one.patch && mediaTypes[one.patch])
}
