import { CodedError } from '../contract/errors.ts'
import type { OperatingSystemConfig } from '../contract/objects.ts'
import { formatProblems } from '../decode/problems.ts'
import { type Actuator, done, type StepContext, type StepResult } from '../lifecycle/lifecycle.ts'
import { contentProblems } from './content/content-problems.ts'
import { readFiles } from './content/read-files.ts'
import type { OperatingSystem } from './operating-system.ts'
import { writeFiles } from './script/write-file.ts'
import { startUnits, writeUnits } from './script/write-units.ts'
import { ensureUserDataSecret } from './user-data/ensure-user-data-secret.ts'
import { largeBytes } from './user-data/size.ts'

/** Maximum number of reported problems per config. */
const mostProblems = 5

/**
 * The actuator for OperatingSystemConfigs of an operating system (docs/contract/small-kinds.md#operatingsystemconfig).
 * A restore is a reconcile, and a migration changes nothing: the Secret is deleted with the config that owns it.
 *
 * @example
 * const actuator = operatingSystemConfigFlow({
 *   userData: ({ parts }) => once(`#!/bin/bash\n${parts.files}\n${parts.units}\nsystemctl
 * daemon-reload\n${parts.starts}`),
 *   additions: () => ({}),
 * })
 */
export const operatingSystemConfigFlow = (
  system: OperatingSystem,
): Pick<Actuator<OperatingSystemConfig>, 'check' | 'reconcile' | 'remove'> => ({
  check: ({ object }) => checkContent(object),
  reconcile: step => (step.object.spec.purpose === 'provision' ? provision(system, step) : add(system, step)),
  // The Secret is deleted with its owner.
  remove: async () => done(),
})

/** The node agent reads the files of an existing machine. Here they are only written for a new one. */
const checkContent = ({ spec }: OperatingSystemConfig): void => {
  if (spec.purpose !== 'provision') return
  const problems = contentProblems(spec)
  if (problems.length === 0) return
  const more = problems.length - mostProblems
  throw new CodedError(
    `${formatProblems(problems.slice(0, mostProblems))}${more > 0 ? `; and ${more} more` : ''}`,
    { codes: ['ERR_CONFIGURATION_PROBLEM'] },
  )
}

const provision = async (
  system: OperatingSystem,
  step: StepContext<OperatingSystemConfig>,
): Promise<StepResult> => {
  const { object, log } = step
  const files = await readFiles(step)
  const { units = [] } = object.spec
  const parts = { files: writeFiles(files), units: writeUnits(units), starts: startUnits(units) }
  const userData = system.userData({ object, parts })
  const { outcome, secretRef } = await ensureUserDataSecret(step, userData)
  const bytes = Buffer.byteLength(userData)
  if (outcome !== 'same') log.info('user data of new machines', { outcome, bytes })
  if (bytes > largeBytes) log.warn('user data exceeds the limit of some clouds', { bytes })
  return done({ cloudConfig: { secretRef }, ...withoutAdditions })
}

const withoutAdditions = { extensionUnits: null, extensionFiles: null, inPlaceUpdates: null }

const add = async (
  system: OperatingSystem,
  { object, cluster }: StepContext<OperatingSystemConfig>,
): Promise<StepResult> => {
  const { units = [], files = [], inPlaceUpdates = null } = system.additions({ object, cluster })
  return done({
    cloudConfig: null,
    extensionUnits: units.length > 0 ? units : null,
    extensionFiles: files.length > 0 ? files : null,
    inPlaceUpdates,
  })
}
