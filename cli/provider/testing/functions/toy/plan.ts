import type { ObjectPlan, PlanSurroundings } from '../../../../../sandbox/providers/provider.ts'
import type { DNSRecord } from '../../../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../../../shared/kubernetes/kubernetes.ts'
import type { ToyConnection } from './toy-cloud.ts'

/** Plans the reconcile of a record. */
export const planName = async (
  object: KubernetesObject,
  { connection, destroy }: PlanSurroundings,
): Promise<ObjectPlan> => {
  const { name, values } = (object as DNSRecord).spec
  const present = await (connection as ToyConnection)('get', name)
  const differs = String(present) !== String(values)
  return {
    where: ' in the toy',
    differs,
    text: paint => (differs ? `${paint('create', `+ put ${name}`)}\n` : 'Nothing to do.\n'),
    json: { destroying: destroy, actions: differs ? [`put ${name}`] : [] },
  }
}
