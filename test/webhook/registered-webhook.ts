import { once } from 'node:events'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { systemClock } from '../../shared/clock/clock.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'

export const configurations = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'mutatingwebhookconfigurations',
  namespaced: false,
}

/** Returns the path in the configuration, which ends with a key that only API servers know. */
export const registeredPath = async (kubernetes: Kubernetes, plain: string): Promise<string> => {
  for (;;) {
    const { items } = await kubernetes.list(configurations)
    const found = items
      .flatMap(({ webhooks }) => (Array.isArray(webhooks) ? webhooks : []))
      .map(webhook => URL.parse(String(webhook.clientConfig.url))?.pathname ?? '')
      .find(path => path === plain || path.startsWith(`${plain}/`))
    if (found !== undefined) return found
    await systemClock.sleep(50)
  }
}

/** Sends a review to a webhook on this machine, without a check of its certificate. */
export const postReview = async (
  port: number,
  path: string,
  body: string,
): Promise<{ readonly status: number | undefined; readonly answer: string }> => {
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    rejectUnauthorized: false,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  })
  sent.end(body)
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, answer: await text(response) }
}
