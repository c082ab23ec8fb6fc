import { packageVersion } from '../../build/project/package-version.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import type { Sandbox } from '../sandbox/start-sandbox.ts'
import { bridgeAt } from './bridges/bridge-sources.ts'
import { followBridge } from './bridges/follow-bridge.ts'
import { checkedJournal } from './file/checked-journal.ts'
import { fileOutput } from './file/journal-output.ts'
import { recordSeed } from './record-seed.ts'
import { summaryOf } from './summary.ts'

/** The journal of `trellis dev --record`. */
export interface SandboxRecord {
  /** Records the sandbox from now on. */
  readonly start: (sandbox: Pick<Sandbox, 'kubernetes' | 'bridgeUrl'>) => void
  /** Resolves with the lines of a summary when everything is written. Rejects if a write failed. */
  readonly close: () => Promise<readonly string[]>
}

/** Opens the journal before the sandbox starts. Throws a `UsageError` if nothing can be added to the file. */
export const openSandboxRecord = async (path: string): Promise<SandboxRecord> => {
  const present = await checkedJournal(path, undefined)
  const output = await fileOutput(path, present?.size)
  const by = `trellis dev ${await packageVersion()}`
  const ended = new AbortController()
  let recording: ReturnType<typeof recordSeed> | undefined
  return {
    start: ({ kubernetes, bridgeUrl }) => {
      recording = recordSeed(
        {
          kubernetes,
          clock: systemClock,
          output,
          by,
          seed: 'sandbox',
          ...(present && { present }),
          tap: (recorder, isSelected, signal) =>
            followBridge(bridgeAt(bridgeUrl), { recorder, clock: systemClock, isSelected }, signal),
        },
        ended.signal,
      )
      // The error is reported at the end.
      recording.catch(() => {})
    },
    close: async () => {
      ended.abort()
      try {
        return recording === undefined ? [] : summaryOf(await recording, path)
      } finally {
        await output.close()
      }
    },
  }
}
