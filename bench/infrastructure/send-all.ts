import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { reconcileMessage } from '../reconcile-message.ts'

/** Events in flight. */
export const sideBySide = 8

/** Sends an event for each infrastructure. Resolves when all are reconciled. */
export const sendAll = async (url: string, objects: readonly KubernetesObject[]): Promise<void> => {
  let next = 0
  const worker = async () => {
    for (let object = objects[next++]; object !== undefined; object = objects[next++]) await send(url, object)
  }
  await Promise.all(Array.from({ length: sideBySide }, worker))
}

const send = async (url: string, object: KubernetesObject): Promise<void> => {
  const { headers, body } = reconcileMessage('Infrastructure', object)
  const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })
  await answer.arrayBuffer()
  if (answer.status !== 204) throw new Error(`the function answered ${answer.status}`)
}
