import { X509Certificate } from 'node:crypto'
import { connect } from 'node:tls'
import { afterEach } from 'vitest'
import { reviewBody } from '../../../../sandbox/reviews/reviews.ts'
import { tinyWebhook } from '../../admission/testing/tiny-webhook.ts'
import { certificatesIn } from '../certificates/trust.ts'
import { namespace, newWebhookSeed, type WebhookSeed } from './webhook-seed.ts'

export const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'b' } }

/** A review of the tiny webhook. */
export const review = reviewBody(tinyWebhook(), { operation: 'CREATE', object })

/** Creates a seed for each test of a file, and closes it after the test. */
export const useWebhookSeed = () => {
  let seed: WebhookSeed | undefined
  afterEach(async () => {
    await seed?.close()
    seed = undefined
  })
  return async (definitions = [tinyWebhook()]): Promise<WebhookSeed> => {
    seed = await newWebhookSeed(definitions)
    return seed
  }
}

/** Returns the issuer of the certificate that a process presents for the Service of a component. */
export const shownBy = (port: number, component = 'provider-tiny'): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(
      {
        host: '127.0.0.1',
        port,
        servername: `gardener-extension-${component}.${namespace}.svc`,
        rejectUnauthorized: false,
      },
      () => {
        resolve(socket.getPeerX509Certificate()?.issuer ?? '')
        socket.destroy()
      },
    )
    socket.on('error', reject)
  })

export const subjectsIn = (bundle: string): readonly string[] =>
  certificatesIn(bundle).map(certificate => new X509Certificate(certificate).subject)
