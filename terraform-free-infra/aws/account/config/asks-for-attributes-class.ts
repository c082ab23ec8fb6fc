import { parseBool } from '../../../../shared/contract/cluster-facts.ts'

/**
 * Returns true if the annotations of a shoot request volumes with modifiable attributes
 * (docs/contract/control-plane.md#annotations-of-the-shoot).
 */
export const asksForAttributesClass = (
  annotations: Readonly<Record<string, string>> | null | undefined,
): boolean =>
  parseBool(annotations?.['aws.provider.extensions.gardener.cloud/enable-volume-attributes-class']) === true
