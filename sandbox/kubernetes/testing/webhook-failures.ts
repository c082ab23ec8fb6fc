import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { jsonPatchOf, type WebhookServer } from './webhook-server.ts'

export interface Answered {
  readonly status: number
  readonly warning: string
  readonly body: {
    readonly message?: string
    readonly reason?: string
    readonly code?: number
    readonly metadata?: { readonly name: string; readonly resourceVersion?: string }
    readonly data?: Readonly<Record<string, string>>
  }
}

/** The path of a webhook at the server, and overrides for fields of the configuration. */
export interface TestWebhook {
  readonly path: string
  readonly [field: string]: unknown
}

export interface FailureContext {
  readonly server: () => WebhookServer
  readonly register: (action: 'mutating' | 'validating', webhooks: readonly TestWebhook[]) => Promise<void>
  readonly create: (object: object, query?: string) => Promise<Answered>
  readonly configMap: (name: string) => object
}

/** The contract for writes if their webhook returns no usable response. */
export const failureContract = ({ server, register, create, configMap }: FailureContext): void => {
  describe('a webhook that fails', () => {
    const failing = async (answer: Parameters<WebhookServer['answer']>[1], more: object = {}) => {
      const path = `/failing-${randomUUID().slice(0, 8)}`
      server().answer(path, answer)
      await register('mutating', [{ path, failurePolicy: 'Fail', ...more }])
      const { status, body } = await create(configMap('never'), '?dryRun=All')
      const calling = `Internal error occurred: failed calling webhook "${path.slice(1)}.w0.example.com": `
      return { status, reason: body.reason, why: String(body.message).replace(calling, '') }
    }
    const failed = (why: unknown) => ({ status: 500, reason: 'InternalError', why })

    test('a refused connection stops the write', async () => {
      const url = 'https://127.0.0.1:1/x'
      expect(await failing(() => ({}), { clientConfig: { url }, timeoutSeconds: 3 })).toEqual(
        failed(
          'failed to call webhook: Post "https://127.0.0.1:1/x?timeout=3s": dial tcp 127.0.0.1:1: connect: connection refused',
        ),
      )
    })

    test('a missing service stops the write', async () => {
      const service = { name: 'absent', namespace: 'nowhere', path: '/x' }
      expect(await failing(() => ({}), { clientConfig: { service } })).toEqual(
        failed(
          'failed to call webhook: Post "https://absent.nowhere.svc:443/x?timeout=10s": service "absent" not found',
        ),
      )
    })

    test('a late response stops the write', async () => {
      expect(await failing(() => 'silence', { timeoutSeconds: 1 })).toEqual(
        failed(
          expect.stringMatching(/^failed to call webhook: Post ".*\?timeout=1s": context deadline exceeded/),
        ),
      )
    })

    test('an untrusted certificate stops the write', async () => {
      const { url } = server()
      expect(await failing(() => ({}), { clientConfig: { url } })).toEqual(
        failed(
          expect.stringContaining(
            'tls: failed to verify certificate: x509: certificate signed by unknown authority',
          ),
        ),
      )
    })

    test.each([
      [
        'another HTTP status',
        { raw: 'gone', status: 404 },
        'failed to call webhook: the server could not find the requested resource',
      ],
      [
        'an error of the server',
        { raw: 'oh', status: 500 },
        'failed to call webhook: an error on the server ("oh") has prevented the request from succeeding',
      ],
      [
        'no JSON',
        { raw: 'no', status: 200 },
        expect.stringMatching(/^failed to call webhook: .*couldn't get version\/kind; json parse error/),
      ],
      [
        'another uid',
        { allowed: true, uid: 'x' },
        expect.stringMatching(/^received invalid webhook response: expected response.uid="[-\w]+", got "x"$/),
      ],
      [
        'a patch without a type',
        { allowed: true, patch: 'W10=' },
        'received invalid webhook response: webhook returned response.patch but not response.patchType',
      ],
    ])('an unusable response stops the write: %s', async (_, answer, why) => {
      expect(await failing(() => answer)).toEqual(failed(why))
    })

    test('the failure is ignored if the policy allows it, but a denial counts', async () => {
      server().answer('/ignored', () => ({ raw: '', status: 500 }))
      server().answer('/denied', () => ({ allowed: false }))
      await register('mutating', [{ path: '/ignored', failurePolicy: 'Ignore' }])
      expect((await create(configMap('ignored'))).status).toBe(201)
      await register('mutating', [{ path: '/denied', failurePolicy: 'Ignore' }])
      expect((await create(configMap('denied'))).status).toBe(400)
    })

    test('a patch that cannot be applied stops the write with any policy', async () => {
      const missing = jsonPatchOf({ op: 'remove', path: '/data/missing' })
      const { status, why } = await failing(() => missing, { failurePolicy: 'Ignore' })
      expect({ status, why }).toEqual({
        status: 500,
        why: expect.stringMatching(/^Internal error occurred: /),
      })
    })
  })
}
