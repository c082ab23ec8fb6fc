import { parseBool } from '../../../../shared/contract/cluster-facts.ts'

/**
 * Whether the annotations of a shoot ask for volumes whose attributes can be changed
 * (docs/contract/control-plane.md#annotations-of-the-shoot).
 */
export const asksForAttributesClass = (
  annotations: Readonly<Record<string, string>> | null | undefined,
): boolean =>
  parseBool(annotations?.['aws.provider.extensions.gardener.cloud/enable-volume-attributes-class']) === true
