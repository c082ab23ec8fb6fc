import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Answered } from './webhook-failures.ts'

export interface ServicePathContext {
  readonly call: (method: 'POST', path: string, body: object) => Promise<Answered>
  readonly namespace: string
}

/** The contract for the path of a Service in a webhook's configuration. */
export const servicePathContract = ({ call, namespace }: ServicePathContext): void => {
  test.each([
    ['/tiny/0f4a', undefined],
    ['/tiny/', undefined],
    [
      '/tiny/A_b',
      'webhooks[0].clientConfig.service.path: Invalid value: "/tiny/A_b": segment[1]: a lowercase',
    ],
    ['/-a', 'segment[0]: a lowercase RFC 1123 subdomain must consist of'],
  ])('the path %s of a Service is valid, or refused with: %s', async (path, refusal) => {
    const { status, body } = await call(
      'POST',
      '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations?dryRun=All',
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: `path-${randomUUID().slice(0, 8)}` },
        webhooks: [
          {
            name: 'w.example.com',
            clientConfig: { service: { name: 'a', namespace, path } },
            rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['CREATE'] }],
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
    )
    expect(status).toBe(refusal === undefined ? 201 : 422)
    if (refusal !== undefined) expect(body.message).toContain(refusal)
  })
}
