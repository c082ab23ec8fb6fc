import { createHash } from 'node:crypto'

/**
 * In which of so many partitions of its topic an event lies: those of one `partitionkey` together, as the
 * PartitionKeyExtensionInterceptor of the CloudEvents SDK has it. Which of them share one is another matter than in Kafka, and nobody's to rely on.
 */
export const partitionOf = (
  attributes: Readonly<Record<string, string | undefined>>,
  partitions: number,
): number =>
  createHash('sha256')
    .update(attributes.partitionkey ?? attributes.id ?? '')
    .digest()
    .readUInt32BE() % partitions
