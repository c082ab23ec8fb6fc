import { determineCodes } from '../../contract/classify.ts'
import type { MachineDeployment } from '../../contract/objects.ts'
import type { MachineWords } from '../provider.ts'

interface FailedMachine {
  readonly name: string
  readonly text: string
}

/** Sorted by name, so that the text is the same in every attempt. */
const failedMachines = (
  deployments: readonly MachineDeployment[],
  { stableText = text => text }: MachineWords,
): readonly FailedMachine[] =>
  deployments
    .flatMap(({ status }) => status?.failedMachines ?? [])
    .map(({ name = '', lastOperation }) => ({ name, text: stableText(lastOperation?.description ?? '') }))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))

/**
 * Returns the failed machines of these deployments as an error, grouped by text, with the codes of the texts. Returns
 * undefined if none failed.
 */
export const machinesFailed = (
  deployments: readonly MachineDeployment[],
  words: MachineWords,
): Error | undefined => {
  const texts = Map.groupBy(failedMachines(deployments, words), ({ text }) => text)
  if (texts.size === 0) return undefined
  const list = [...texts].map(
    ([text, machines]) => `${machines.map(({ name }) => JSON.stringify(name)).join(', ')}: ${text}`,
  )
  const count = list.length === 1 ? '1 error' : `${list.length} errors`
  return determineCodes(
    new Error(`machine(s) failed: ${count} occurred: [${list.join(', ')}]`),
    words.classifiers ?? [],
  )
}

/** Like `machinesFailed`, for deployments in deletion. Reports only their first machine. */
export const machineFailed = (
  deployments: readonly MachineDeployment[],
  words: MachineWords,
): Error | undefined => {
  const [first] = failedMachines(deployments, words)
  return (
    first && determineCodes(new Error(`machine ${first.name} failed: ${first.text}`), words.classifiers ?? [])
  )
}
