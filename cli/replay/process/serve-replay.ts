import { findProviders } from '../../../sandbox/providers/find-providers.ts'
import { isColored } from '../../../sandbox/terminal/colored.ts'
import { exitCodeOf } from '../../../sandbox/terminal/exit-code.ts'
import { brokenPipe } from '../../../shared/runtime/end-with-output.ts'
import { prepareProcess } from '../../../shared/runtime/prepare-process.ts'
import { print, printProblem } from '../../../shared/terminal/print.ts'
import type { AllowedNetwork } from '../../confined/allowed-network.ts'
import type { RefusedAttempts } from '../../confined/refused-attempts.ts'
import { takeSend } from '../../confined/take-send.ts'
import { type ReplayOptions, type ReplayOutput, replayFiles } from '../replay-files.ts'
import { recordRequests } from './record-requests.ts'

export interface ReplayRequest {
  readonly files: readonly string[]
  readonly options: ReplayOptions
  readonly network: AllowedNetwork
}

/** A message from the process to the command: the file to write, and its new content. */
export interface SaveRequest {
  readonly path: string
  readonly state: object
}

/** The reply of the command. `problem`: the reason why it could not write the file; absent after success. */
export interface SaveAnswer {
  readonly problem?: string
}

/** Replays files and prints the results. Returns true if all succeeded, and nothing was refused. */
export const replayConfined = async (
  { files, options, network }: ReplayRequest,
  refusals: Pick<RefusedAttempts, 'list'>,
  saveState?: ReplayOutput['saveState'],
): Promise<boolean> => {
  const ok = await replayFiles(files, options, {
    providers: await findProviders(),
    stdin: process.stdin,
    write: print,
    color: isColored(process.stdout, process.env),
    warn: line => printProblem('trellis', line),
    ...(saveState && { saveState }),
    ...(network !== 'none' && { takeRequests: recordRequests() }),
  })
  const refused = refusals.list()
  if (refused.length > 0) printProblem('trellis', refusedText(refused, network))
  return ok && refused.length === 0
}

/** Replays for a command in another process, and ends with its exit code. */
export const serveReplay = async (
  request: ReplayRequest,
  channel: NodeJS.Process,
  refusals: RefusedAttempts,
): Promise<void> => {
  prepareProcess()
  const send = takeSend(channel)
  // The command was killed.
  const end = () => process.exit()
  channel.on('disconnect', end)
  try {
    const saveState = (path: string, state: object) => save(channel, send, { path, state })
    if (!(await replayConfined(request, refusals, saveState))) process.exitCode ??= 1
  } catch (error) {
    if (process.exitCode !== brokenPipe) process.exitCode = exitCodeOf(error)
  } finally {
    channel.off('disconnect', end)
    channel.disconnect()
  }
}

const save = async (
  channel: NodeJS.Process,
  send: NodeJS.Process['send'],
  request: SaveRequest,
): Promise<void> => {
  const answered = new Promise<SaveAnswer>(resolve => channel.once('message', resolve))
  send?.(request)
  const { problem } = await answered
  if (problem !== undefined) throw new Error(problem)
}

const refusedText = (refused: readonly string[], network: AllowedNetwork): string => {
  const reads = network === 'none' ? '--allow-reads lets it read from its cloud; ' : ''
  return `a dry replay refused an attempted change: the function ${refused.join(', ')}. ${reads}--allow-network lets it change a cloud`
}
