import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../../../shared/clock/clock.ts'
import { type HttpTransport, type Kubernetes, readText } from '../../../../../shared/kubernetes/kubernetes.ts'
import { nodeName } from './node.ts'
import { coreResource, type Pod } from './pod.ts'

/** Assigns the Pod to the node, as a scheduler does. */
export const bindPod = async (kubernetes: Kubernetes, { metadata }: Pod): Promise<void> => {
  const { name, namespace } = metadata
  await kubernetes.create(coreResource(`pods/${name}/binding`), {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, namespace },
    target: { apiVersion: 'v1', kind: 'Node', name: nodeName },
  })
}

/** Returns a token of the Pod's service account that is bound to the Pod. */
export const requestToken = async (
  kubernetes: Kubernetes,
  { metadata, spec }: Pod,
  audience: string | undefined,
  expirationSeconds: number,
): Promise<string> => {
  const { name, namespace, uid } = metadata
  const account = spec.serviceAccountName ?? 'default'
  const request = await kubernetes.create(coreResource(`serviceaccounts/${account}/token`), {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { name: account, namespace },
    spec: {
      ...(audience === undefined ? {} : { audiences: [audience] }),
      expirationSeconds,
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
    },
  })
  return (request.status as { readonly token: string }).token
}

type RequestToken = (audience: string | undefined, seconds: number) => Promise<string>

/** Requests a token again after 80 % of its life, as a kubelet does. */
export const createTokens = (request: RequestToken, clock: Clock): RequestToken => {
  const known = new Map<string, { readonly token: string; readonly until: number }>()
  return async (audience, seconds) => {
    const id = `${audience} ${seconds}`
    const last = known.get(id)
    if (last !== undefined && clock.now() < last.until) return last.token
    const token = await request(audience, seconds)
    known.set(id, { token, until: clock.now() + seconds * 800 })
    return token
  }
}

/** Removes the Pod from the API server after its processes have ended. Repeats it until the API server answers. */
export const removePod = async (transport: HttpTransport, { metadata }: Pod): Promise<void> => {
  for (;;) {
    try {
      const { status, body } = await transport.send({
        method: 'DELETE',
        path: `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ gracePeriodSeconds: 0, preconditions: { uid: metadata.uid } }),
      })
      await readText(body)
      if (status < 300 || status === 404 || status === 409) return
    } catch {
      // The API server restarts.
    }
    await sleep(500)
  }
}
