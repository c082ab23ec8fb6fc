import { createHash } from 'node:crypto'

/**
 * Returns the partition of an event in its topic. Events with the same `partitionkey` share a partition, as in the
 * CloudEvents SDK's PartitionKeyExtensionInterceptor. The assignment differs from Kafka's; do not rely on it.
 */
export const partitionOf = (
  attributes: Readonly<Record<string, string | undefined>>,
  partitions: number,
): number =>
  createHash('sha256')
    .update(attributes.partitionkey ?? attributes.id ?? '')
    .digest()
    .readUInt32BE() % partitions
