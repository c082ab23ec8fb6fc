/**
 * Returns the elements if the condition holds, for use in lists. The elements are evaluated in any case.
 *
 * @example
 * const args = ['--v=2', ...when(isWorkerless(cluster), '--without-nodes')]
 */
export const when = <T>(
  condition: boolean | string | null | undefined,
  ...elements: readonly T[]
): readonly T[] => (condition ? elements : [])
