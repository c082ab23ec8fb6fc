import { valueAt } from '../../../../shared/decode/record-of.ts'
import type { Reviewer } from '../../../../shared/webhooks/admission/admission.ts'
import {
  isAbsent,
  isUnchangedShoot,
  type JsonObject,
  networkConfigPath,
  overlayOf,
  withAt,
  withNodeLocalDns,
  withOverlay,
  withSpec,
} from '../../../../shared/webhooks/garden/garden.ts'

/** The networks that get an overlay in new shoots. */
interface OverlayDefaults {
  readonly enableOverlayAsDefaultForCalico: boolean
  readonly enableOverlayAsDefaultForCilium: boolean
}

/** Defaults fields that a Shoot leaves open (docs/contract/provider-openstack.md#admission). */
export const mutateShoot: Reviewer<OverlayDefaults> = (request, _, defaults) => {
  if (isUnchangedShoot(request)) return {}
  const { object, oldObject } = request
  const spec: JsonObject = { ...Object(object.spec) }
  const type = valueAt(spec, 'networking', 'type')
  const networked = isAbsent(type)
    ? spec
    : withPodRoutes(withOverlay(spec, oldObject?.spec, hasOverlay(type, defaults)))
  return withSpec(request, withNodeLocalDns(networked))
}

const hasOverlay = (type: unknown, defaults: OverlayDefaults): boolean =>
  (type === 'calico' && defaults.enableOverlayAsDefaultForCalico) ||
  (type === 'cilium' && defaults.enableOverlayAsDefaultForCilium)

/** Without an overlay, the routes to pods are on the nodes. */
const withPodRoutes = (spec: JsonObject): JsonObject => {
  const path = [...networkConfigPath, 'overlay', 'createPodRoutes']
  return overlayOf(valueAt(spec, ...networkConfigPath)) === 'off' && isAbsent(valueAt(spec, ...path))
    ? withAt(spec, path, true)
    : spec
}
