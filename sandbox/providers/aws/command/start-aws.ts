import { UsageError } from '../../../terminal/exit-code.ts'
import { readState, writeState } from '../../state-file.ts'
import { parseState } from '../parse-state.ts'
import type { AccountSnapshot, Aws, Listening } from '../simulator/aws.ts'
import { accountRates, createAws, newAccountLimits, scaledServices } from '../simulator/aws.ts'

export interface AwsSettings {
  /** 0: the system chooses one. */
  readonly port: number
  /** Scales AWS's durations. */
  readonly scale: number
  readonly account: string
  readonly throttle: boolean
  readonly quotas: boolean
  readonly loggedCalls: number
  /** A file with the content of the account, read at the start and written at the end. */
  readonly snapshot?: string | undefined
}

export interface RunningAws {
  readonly aws: Aws
  readonly url: string
  readonly account: string
  /** Saves the account if configured, and stops listening. */
  close(): Promise<void>
}

/**
 * Starts a simulated AWS on 127.0.0.1.
 *
 * @throws UsageError if the port is in use or the snapshot is invalid
 */
export const startAws = async (settings: AwsSettings): Promise<RunningAws> => {
  const services = scaledServices(settings.scale)
  const ec2 = { ...services.ec2, ...(settings.quotas ? { limits: newAccountLimits } : {}) }
  const aws = createAws({
    ...services,
    ec2,
    defaultAccount: settings.account,
    keptCalls: settings.loggedCalls,
    ...(settings.throttle ? { rates: accountRates } : {}),
  })
  const { snapshot: path } = settings
  const read = (value: unknown) => parseState(value, aws.readSnapshot)
  // The result of `readSnapshot`.
  const saved = (path === undefined ? undefined : await readState(path, read, '--snapshot'))?.state as
    | AccountSnapshot
    | undefined
  if (saved && saved.id !== settings.account) {
    throw new UsageError(`${path} contains account ${saved.id}. Start it with --account ${saved.id}`)
  }
  if (saved) aws.account().restore(saved)
  const listening = await listen(aws, settings.port)
  return {
    aws,
    url: listening.url,
    account: settings.account,
    close: async () => {
      await listening.close()
      if (path !== undefined) await writeState(path, aws.account().snapshot())
    },
  }
}

const listen = async (aws: Aws, port: number): Promise<Listening> => {
  try {
    return await aws.listen({ port })
  } catch (error) {
    const { code } = error as { readonly code?: string }
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    throw new UsageError(
      `port ${port} is ${code === 'EACCES' ? 'not allowed' : 'in use'}. Choose another one with --port`,
    )
  }
}
