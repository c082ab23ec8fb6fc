import { isKindName } from '../../../shared/contract/kinds.ts'
import type { Kubernetes, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { outlookOf } from '../outlook.ts'
import type { SeedView } from '../seed-view.ts'
import { bridgeDeployments, servedBy } from '../served.ts'
import { shootOfObject } from '../shoot-of.ts'
import { readKind } from './read-kinds.ts'

/**
 * Adds which objects Trellis serves. The bridges are read only if an object seems to fail, so a seed without trouble
 * costs no request.
 */
export const withServed = async (
  view: SeedView,
  kubernetes: Pick<Kubernetes, 'list'>,
  signal: AbortSignal,
): Promise<SeedView> => {
  if (!view.objects.some(object => seemsToFail(object, view))) return view
  const read = { kind: 'Deployment', title: 'Deployments of bridges', ...bridgeDeployments }
  const { objects, missing, lack } = await readKind(kubernetes, read, signal)
  return {
    ...view,
    isServed: servedBy(lack === undefined ? objects : undefined, view.objects),
    missing: [
      ...view.missing,
      ...(missing === undefined ? [] : [`${missing}, so it is not known which objects Trellis serves`]),
    ],
  }
}

const seemsToFail = (object: KubernetesObject, view: SeedView): boolean => {
  const { kind } = object
  if (!isKindName(kind)) return false
  const { state } = outlookOf(kind, object, shootOfObject(view, object), view.at)
  return state === 'failed'
}
