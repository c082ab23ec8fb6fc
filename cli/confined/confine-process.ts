import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import type { AllowedNetwork } from './allowed-network.ts'
import { closeNetwork } from './close-network.ts'
import { openReads } from './open-reads.ts'
import { createRefusedAttempts, type RefusedAttempts } from './refused-attempts.ts'

/**
 * Closes the remaining ways in which code in this process could change something: the network as far as it is not
 * allowed, and the calls that Node's permission model (`confinedNode`) does not cover. Call it before you load any
 * other module.
 */
export const confineProcess = (network: AllowedNetwork = 'none'): RefusedAttempts => {
  const refusals = createRefusedAttempts()
  if (network !== 'all') closeNetwork(refusals, network === 'reads' ? openReads(refusals) : undefined)
  const { refuse } = refusals
  // The permission model of Node 24.21 does not stop these calls. That of Node 22.19 does not stop those of `fs`,
  // `trace_events` and the heap limit.
  const open: readonly (readonly [object, readonly string[]])[] = [
    [process.getBuiltinModule('node:sqlite') ?? {}, ['DatabaseSync', 'backup']],
    [process.getBuiltinModule('node:trace_events'), ['createTracing']],
    [process.getBuiltinModule('node:v8'), ['setFlagsFromString', 'setHeapSnapshotNearHeapLimit']],
    [
      fs,
      [
        ...['futimes', 'futimesSync', 'fchmod', 'fchmodSync', 'fchown', 'fchownSync'],
        // They act on the file to which a shell sends the output of a replay.
        ...['ftruncate', 'ftruncateSync'],
      ],
    ],
    [os, ['setPriority']],
    // Node's `kill` and `inspector.open` call those with `_`.
    [process, ['kill', '_kill', '_debugProcess']],
  ]
  for (const [owner, names] of open)
    for (const name of names)
      Object.assign(owner, {
        // Some are classes. An arrow function would refuse `new` with a different error.
        [name]: function refused() {
          throw refuse(`uses ${name} of Node.js`)
        },
      })
  for (const owner of [fs, fs.promises, childProcess]) explainAttempts(owner, refusals)
  syncBuiltinESMExports()
  return refusals
}

/** Records each call that Node refuses in the functions of a module. These throw, reject or call back. */
const explainAttempts = (owner: object, { explained }: RefusedAttempts): void => {
  for (const [name, original] of Object.entries(owner)) {
    // Names of classes start with an upper-case letter.
    if (typeof original !== 'function' || !/^[a-z]/.test(name)) continue
    const noting = function (this: unknown, ...args: unknown[]): unknown {
      const callback = args.at(-1)
      if (typeof callback === 'function')
        args.splice(-1, 1, (error: unknown, ...rest: unknown[]) =>
          callback(explained(error, noting), ...rest),
        )
      try {
        const result: unknown = Reflect.apply(original, this, args)
        return result instanceof Promise
          ? result.catch((error: unknown) => {
              throw explained(error, noting)
            })
          : result
      } catch (error) {
        throw explained(error, noting)
      }
    }
    // Some functions have members, for example the form that `promisify` uses.
    Object.defineProperties(noting, Object.getOwnPropertyDescriptors(original))
    Object.assign(owner, { [name]: noting })
  }
}
