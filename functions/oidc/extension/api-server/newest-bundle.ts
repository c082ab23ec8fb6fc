import { secretLabels } from '../../../../build/library/secrets.ts'
import { secrets } from '../../../../build/library/trellis.ts'
import type { Lookup } from '../../../../build/library/webhooks.ts'
import { authorityName } from './names.ts'

/**
 * Returns the name of the Secret with the CA certificates of the authenticator, the most recently issued of several.
 * Returns undefined if none exists yet.
 */
export const newestBundle = async (
  kubernetes: Pick<Lookup, 'list'>,
  namespace: string,
  identity: string,
): Promise<string | undefined> => {
  const labelSelector = `${secretLabels.bundleFor}=${authorityName},${secretLabels.identity}=${identity},${secretLabels.managedBy}=secrets-manager`
  const { items } = await kubernetes.list(secrets, { namespace, labelSelector })
  const [newest] = items
    .map(({ metadata: { name, labels = {} } }) => ({ name, at: Number(labels[secretLabels.issuedAt]) }))
    // Without an issue time, a Secret cannot be ranked.
    .filter(({ at }) => Number.isFinite(at) && at > 0)
    .toSorted((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1))
  return newest?.name
}
