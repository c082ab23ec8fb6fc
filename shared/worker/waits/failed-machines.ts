import { determineCodes } from '../../contract/classify.ts'
import type { MachineDeployment } from '../../contract/objects.ts'
import type { MachineWords } from '../provider.ts'

interface FailedMachine {
  readonly name: string
  readonly text: string
}

/** By name, so that the same machines make the same text in every attempt. */
const failedMachines = (
  deployments: readonly MachineDeployment[],
  { stableText = text => text }: MachineWords,
): readonly FailedMachine[] =>
  deployments
    .flatMap(({ status }) => status?.failedMachines ?? [])
    .map(({ name = '', lastOperation }) => ({ name, text: stableText(lastOperation?.description ?? '') }))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))

/**
 * Machines of these deployments that failed, those of one text together, as an error with the codes that its text earns;
 * undefined: none failed.
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

/** As `machinesFailed`, for deployments that shall go: the first machine of them. */
export const machineFailed = (
  deployments: readonly MachineDeployment[],
  words: MachineWords,
): Error | undefined => {
  const [first] = failedMachines(deployments, words)
  return (
    first && determineCodes(new Error(`machine ${first.name} failed: ${first.text}`), words.classifiers ?? [])
  )
}
