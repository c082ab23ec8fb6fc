import { ApiError } from '../requests/api-error.ts'
import { resourceName } from '../resources/resource-definition.ts'
import type { Admission } from './admission.ts'

/**
 * Resources that gardener-resource-manager protects in a seed (docs/contract/lifecycle.md#deletion-protection).
 * Bastions and Clusters are not protected.
 */
const protectedResources = new Set([
  ...[
    'backupbuckets',
    'backupentries',
    'containerruntimes',
    'controlplanes',
    'dnsrecords',
    'extensions',
    'infrastructures',
    'networks',
    'operatingsystemconfigs',
    'selfhostedshootexposures',
    'workers',
  ].map(plural => `${plural}.extensions.gardener.cloud`),
  'etcds.druid.gardener.cloud',
])

const confirmation = 'confirmation.gardener.cloud/deletion'
const protectedLabel = 'gardener.cloud/deletion-protected'

/**
 * Denies the DELETE of a protected object without `confirmation.gardener.cloud/deletion=true`, with the text of
 * Gardener's webhooks.
 */
export const deletionProtection: Admission = ({ operation, type, oldObject }) => {
  if (operation !== 'DELETE' || oldObject === undefined) return
  const resource = resourceName(type)
  const { annotations = {}, labels = {} } = oldObject.metadata
  const isDefinition = resource === 'customresourcedefinitions.apiextensions.k8s.io'
  const isProtected = isDefinition ? labels[protectedLabel] === 'true' : protectedResources.has(resource)
  if (!isProtected || annotations[confirmation] === 'true') return
  const webhook = `${isDefinition ? 'crd' : 'cr'}-deletion-protection.resources.gardener.cloud`
  throw new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: `admission webhook "${webhook}" denied the request: must have a "${confirmation}" annotation to delete`,
  })
}
