import { describe, expect, test } from 'vitest'
import { lookupIn, reviewBody, sendReview } from '../../../../sandbox/reviews/reviews.ts'
import { CodedError } from '../../../contract/errors.ts'
import { answerReview, type ReviewAnswer, type WebhookDefinition } from '../admission.ts'
import { brokenLookup } from '../testing/broken-lookup.ts'
import { tinyWebhook } from '../testing/tiny-webhook.ts'

const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'b' },
  data: { x: 'PLANTED' },
}
const created = { operation: 'CREATE', object } as const
const nothing = lookupIn([])

const answerTo = (body: unknown, definition: WebhookDefinition = tinyWebhook()): Promise<ReviewAnswer> =>
  answerReview(
    definition,
    Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    nothing,
    definition.settings.parse({}),
  )

const changedReview = (change: (request: Record<string, unknown>) => void): object => {
  const review = JSON.parse(reviewBody(tinyWebhook(), created)) as { request: Record<string, unknown> }
  change(review.request)
  return review
}

const responseIn = ({ body }: ReviewAnswer): unknown =>
  (JSON.parse(body) as { readonly response: unknown }).response

describe('an answer', () => {
  test('the patch turns the object into the changed one', async () => {
    const { object: after, code } = await sendReview(tinyWebhook(), created)
    expect(after).toEqual({ ...object, metadata: { ...object.metadata, labels: { colour: 'green' } } })
    expect(code).toBe(200)
  })

  test('an answer without changes has no patch', async () => {
    const labelled = { ...object, metadata: { ...object.metadata, labels: { colour: 'green' } } }
    const answer = await answerTo(reviewBody(tinyWebhook(), { operation: 'CREATE', object: labelled }))
    expect(answer.outcome).toBe('allowed')
    expect(responseIn(answer)).toEqual({
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      allowed: true,
      status: { code: 200 },
    })
  })

  test.each(['v1', 'v1beta1'] as const)('the answer has the version of the review: %s', async version => {
    const { status, body } = await answerTo(reviewBody(tinyWebhook(), created, { version }))
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject({
      apiVersion: `admission.k8s.io/${version}`,
      kind: 'AdmissionReview',
      response: { allowed: true, patchType: 'JSONPatch' },
    })
  })

  test('an answer retains unknown fields, and never modifies the given object', async () => {
    const odd = { ...object, spec: { of: ['tomorrow', { null: null }] } }
    const { object: after, patch } = await sendReview(tinyWebhook(), { operation: 'CREATE', object: odd })
    expect(after).toMatchObject({ spec: odd.spec })
    expect(patch).toEqual([{ op: 'add', path: '/metadata/labels', value: { colour: 'green' } }])
  })

  test('invisible characters of a warning are escaped, because API servers drop such a warning', async () => {
    const warns = tinyWebhook({ review: () => ({ warnings: ['a\u001b[31mb\u202e'] }) })
    const { warnings } = await sendReview(warns, created)
    expect(warnings).toEqual(['a\\x1b[31mb\\u{202e}'])
  })

  test('warnings may be computed after the decision', async () => {
    const warns = tinyWebhook({ review: () => ({ warnings: () => ['late'] }) })
    const { warnings, allowed } = await sendReview(warns, created)
    expect(allowed).toBe(true)
    expect(warnings).toEqual(['late'])
  })

  test.each([
    ['allowed', {}],
    ['refused', { refused: { problems: ['no'] } }],
  ] as const)('an error in the computation of warnings leaves an object %s', async (outcome, decision) => {
    const warns = tinyWebhook({
      action: 'validate',
      review: () => ({
        ...decision,
        warnings: () => {
          throw new TypeError('PLANTED')
        },
      }),
    })
    const answer = await answerTo(reviewBody(warns, created), warns)
    expect(answer.outcome).toBe(outcome)
    expect(answer.failure).toBeUndefined()
    expect(answer.warningFailure).toMatchObject({ name: 'TypeError', message: 'an unexpected TypeError' })
    expect(responseIn(answer)).toMatchObject({ allowed: outcome === 'allowed' })
    expect(responseIn(answer)).not.toHaveProperty('warnings')
    expect(JSON.stringify(answer)).not.toContain('PLANTED')
  })

  test('an answer has warnings, each cut to the length that API servers pass on', async () => {
    const warns = tinyWebhook({ review: () => ({ warnings: ['old field', 'x'.repeat(1000)] }) })
    const { warnings, allowed } = await sendReview(warns, created)
    expect(allowed).toBe(true)
    expect(warnings).toEqual(['old field', 'x'.repeat(256)])
  })
})

describe('an object', () => {
  const deleting = { ...object, metadata: { ...object.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }

  test('an object in deletion is allowed unchanged', async () => {
    expect(
      await sendReview(tinyWebhook(), { operation: 'UPDATE', object: deleting, oldObject: object }),
    ).toMatchObject({
      allowed: true,
      patch: [],
    })
  })

  test('an object in deletion is reviewed if the definition says so', async () => {
    const result = await sendReview(tinyWebhook({ deleting: true }), {
      operation: 'UPDATE',
      object: deleting,
      oldObject: object,
    })
    expect(result.patch).not.toEqual([])
  })
})

describe('a refusal', () => {
  const refusing = (problems: readonly [string, ...string[]], code?: 400 | 422) =>
    tinyWebhook({ review: () => ({ refused: { problems, ...(code !== undefined && { code }) } }) })

  test('a refusal is Forbidden with its text unchanged', async () => {
    expect(
      responseIn(await answerTo(reviewBody(tinyWebhook(), created), refusing(['spec.a: Forbidden: no']))),
    ).toMatchObject({
      allowed: false,
      status: { code: 403, reason: 'Forbidden', message: 'spec.a: Forbidden: no' },
    })
  })

  test('a refusal of several problems lists each once, in their order', async () => {
    const { message } = await sendReview(refusing(['b', 'a', 'b']), created)
    expect(message).toBe('[b, a]')
  })

  test('a refusal has the code of the function', async () => {
    expect(await sendReview(refusing(['x'], 422), created)).toMatchObject({ allowed: false, code: 422 })
  })

  test('a public error becomes a refusal', async () => {
    const throws = tinyWebhook({
      review: () => {
        throw new CodedError('no Cluster', { codes: [] })
      },
    })
    expect(await sendReview(throws, created)).toMatchObject({
      allowed: false,
      code: 403,
      message: 'no Cluster',
    })
  })

  test('a refusal lists a readable number of problems, and the number of the others', async () => {
    const problems = Array.from(
      { length: 5_000 },
      (_, index) => `spec.keys[${index}]: Forbidden: expected none`,
    )
    const [first = '', ...others] = problems
    const refuses = tinyWebhook({ review: () => ({ refused: { problems: [first, ...others] } }) })
    const { message = '' } = await sendReview(refuses, created)
    expect(message).toMatch(/^\[spec\.keys\[0\]: Forbidden: expected none, .*, and \d+ more\]$/)
    const shownProblems = message.match(/Forbidden/g)?.length ?? 0
    expect(message).toContain(`and ${5_000 - shownProblems} more`)
    expect(message.length).toBeLessThan(17_000)
  })

  test('a refusal with one very long problem is cut', async () => {
    const refuses = tinyWebhook({ review: () => ({ refused: { problems: ['x'.repeat(1_000_000)] } }) })
    const { message = '' } = await sendReview(refuses, created)
    expect(message).toMatch(/^x{16000}…$/)
  })

  test('an object of an unregistered kind is refused with code 400', async () => {
    const set = { ...object, apiVersion: 'apps/v1', kind: 'StatefulSet' }
    expect(await sendReview(tinyWebhook(), { operation: 'CREATE', object: set })).toMatchObject({
      allowed: false,
      code: 400,
      message: 'unexpected request kind apps/v1, Kind=StatefulSet',
    })
  })

  test('a refusal of an unregistered core kind names the kind as the Go extension does', async () => {
    const { message } = await sendReview(tinyWebhook(), {
      operation: 'CREATE',
      object: { ...object, kind: 'Pod' },
    })
    expect(message).toBe('unexpected request kind /v1, Kind=Pod')
  })

  test('an unregistered subresource is refused', async () => {
    expect(await sendReview(tinyWebhook(), created, { subresource: 'status' })).toMatchObject({
      code: 400,
    })
  })
})

describe('a failing function', () => {
  test('a failing function refuses with code 500 and reveals nothing of the object', async () => {
    const quotes = tinyWebhook({
      review: ({ object: { data } }) => JSON.parse(String(Reflect.get(data as object, 'x'))),
    })
    const answer = await answerTo(reviewBody(quotes, created), quotes)
    expect(responseIn(answer)).toMatchObject({
      allowed: false,
      status: { code: 500, message: 'the webhook tiny failed: an unexpected SyntaxError' },
    })
    expect(answer).toMatchObject({ outcome: 'failed', failure: { name: 'SyntaxError' } })
    expect(JSON.stringify(answer)).not.toContain('PLANTED')
  })

  test('a failed lookup is refused with its reason', async () => {
    const asking = tinyWebhook({
      permissions: [
        {
          resource: { group: '', version: 'v1', plural: 'secrets', namespaced: true },
          verbs: ['get'],
          why: 'it is needed',
        },
      ],
      review: async (_, lookup) => {
        await lookup.get(
          { group: '', version: 'v1', plural: 'secrets', namespaced: true },
          { namespace: 'b', name: 'c' },
        )
        return {}
      },
    })
    const { message, code } = await sendReview(asking, created, { lookup: brokenLookup })
    expect(code).toBe(500)
    expect(message).toContain('etcd is away')
  })

  test('a lookup without permission is refused', async () => {
    const asking = tinyWebhook({
      review: async (_, lookup) => {
        await lookup.list({ group: '', version: 'v1', plural: 'secrets', namespaced: true })
        return {}
      },
    })
    const { message } = await sendReview(asking, created)
    expect(message).toContain('no permission to list secrets')
  })

  test('a validation that changes the object is refused', async () => {
    expect(await sendReview(tinyWebhook({ action: 'validate' }), created)).toMatchObject({
      allowed: false,
      code: 500,
    })
  })
})

describe('a malformed review', () => {
  test.each<[string, unknown]>([
    ['no JSON', 'PLANTED'],
    ['empty', ''],
    ['a list', []],
    ['of another kind', { apiVersion: 'v1', kind: 'Secret' }],
    ['of another version', { apiVersion: 'admission.k8s.io/v2', kind: 'AdmissionReview' }],
    ['without a request', { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' }],
    ['without a uid', changedReview(request => Reflect.deleteProperty(request, 'uid'))],
  ])('a malformed review gets status 400: %s', async (_, body) => {
    const { status, body: text, outcome } = await answerTo(body)
    expect({ status, outcome }).toEqual({ status: 400, outcome: 'malformed' })
    expect(text).not.toContain('PLANTED')
  })

  test.each<[string, (request: Record<string, unknown>) => void, string]>([
    ['without a kind', request => Reflect.deleteProperty(request, 'kind'), 'request.kind'],
    ['without a resource', request => Reflect.set(request, 'resource', 'pods'), 'request.resource'],
    ['of another operation', request => Reflect.set(request, 'operation', 'DELETE'), 'request.operation'],
    ['without an object', request => Reflect.set(request, 'object', null), 'request.object'],
    ['with text as object', request => Reflect.set(request, 'object', 'PLANTED'), 'request.object'],
    [
      'with an object without metadata',
      request => Reflect.set(request, 'object', { data: 'PLANTED' }),
      'request.object',
    ],
    [
      'of an update without old object',
      request => Reflect.set(request, 'operation', 'UPDATE'),
      'request.oldObject',
    ],
    [
      'with an object of another kind',
      request => Reflect.set(request.object as object, 'kind', 'Secret'),
      'request.object',
    ],
    [
      'with an object of another version',
      request => Reflect.set(request.object as object, 'apiVersion', 'v2'),
      'request.object',
    ],
    [
      'with an object of no kind',
      request => Reflect.deleteProperty(request.object as object, 'kind'),
      'request.object',
    ],
    ['with text as old object', request => Reflect.set(request, 'oldObject', 'PLANTED'), 'request.oldObject'],
  ])('a malformed review with a uid is refused with code 400: %s', async (_, change, field) => {
    const answer = await answerTo(changedReview(change))
    expect(responseIn(answer)).toMatchObject({
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      allowed: false,
      status: { code: 400, reason: 'BadRequest', message: expect.stringContaining(field) },
    })
    expect(answer.body).not.toContain('PLANTED')
  })

  test('a malformed review of any depth is refused', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const body = reviewBody(tinyWebhook(), { operation: 'CREATE', object: { ...object, deep: 'HERE' } })
    const answer = await answerTo(body.replace('"HERE"', deep))
    expect(responseIn(answer)).toMatchObject({ allowed: false, status: { code: 400 } })
  })
})
