import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Provider } from '../../../sandbox/providers/provider.ts'
import { writeState } from '../../../sandbox/providers/state-file.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import type { AllowedNetwork } from '../../confined/allowed-network.ts'
import { closeNetwork } from '../../confined/close-network.ts'
import { confinedNode } from '../../confined/confined-node.ts'
import { endWithCommand } from '../../confined/end-with-command.ts'
import { openReads } from '../../confined/open-reads.ts'
import { createRefusedAttempts } from '../../confined/refused-attempts.ts'
import type { ReplayOptions } from '../replay-files.ts'
import type { ReplayRequest, SaveAnswer, SaveRequest } from './serve-replay.ts'

const program = fileURLToPath(new URL('./main.ts', import.meta.url))

/** A replay on simulated clouds and an in-memory seed. It must not change anything real. */
export const isDry = ({ kubeconfig, clouds = {} }: ReplayOptions): boolean =>
  kubeconfig === undefined && Object.values(clouds).every(({ endpoint }) => endpoint === undefined)

/** A replay of functions of this project, which need no protection but that from a network. */
const isOwnCode = ({ function: named, functionsRoot }: ReplayOptions): boolean =>
  functionsRoot === undefined && (named === undefined || !existsSync(named))

/**
 * Replays files, and prints the result. A function in a folder is foreign code: it runs in a process that can only
 * change the files of `saveState`. With `network`, a function can also reach a cloud. Returns the exit code.
 */
export const replayDry = async (
  files: readonly string[],
  options: ReplayOptions,
  providers: readonly Pick<Provider, 'fillCaches'>[],
  network: AllowedNetwork,
): Promise<number> => {
  if (isOwnCode(options)) {
    const refusals = createRefusedAttempts()
    if (network !== 'all') closeNetwork(refusals, network === 'reads' ? openReads(refusals) : undefined)
    const { replayConfined } = await import('./serve-replay.ts')
    return (await replayConfined({ files, options, network }, refusals)) ? 0 : 1
  }
  for (const provider of providers) await provider.fillCaches?.()
  const { command, args, env } = confinedNode(process.env, network)
  const request: ReplayRequest = { files, options, network }
  const child = spawn(command, [...args, program, JSON.stringify(request)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
    env,
  })
  endWithCommand(child)
  const paths = new Set(Object.values(options.clouds ?? {}).map(({ saveState }) => saveState))
  child.on('message', async ({ path, state }: SaveRequest) => {
    const answer = (message: SaveAnswer) => child.send(message, () => {})
    // The function could send this message as well.
    if (!paths.has(path)) answer({ problem: `${path}: no flag names this file` })
    else
      await writeState(path, state).then(
        () => answer({}),
        (error: unknown) => answer({ problem: messageOf(error) }),
      )
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
