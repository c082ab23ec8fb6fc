import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import { isDeeper } from '../../decode/json-bounds.ts'
import { messageOf } from '../../text/message-of.ts'

/** The machines of a shoot in its former seed, by deployment name. */
export type MachineState = ReadonlyMap<string, DeploymentState>

export interface DeploymentState {
  readonly replicas: number
  readonly sets: readonly StateObject[]
  readonly machines: readonly StateObject[]
}

/** As written by gardenlet, including unused fields. */
export type StateObject = z.infer<typeof stateObject>

const stateObject = z.looseObject({
  metadata: z.looseObject({
    name: z.string().min(1),
    labels: z.record(z.string(), z.string()).nullish(),
    annotations: z.record(z.string(), z.string()).nullish(),
  }),
  spec: z.record(z.string(), z.unknown()).nullish(),
})

const machineStateSchema = z.looseObject({
  machineDeployments: z
    .record(
      z.string(),
      z.looseObject({
        replicas: z.int().nonnegative().nullish(),
        machineSets: z.array(stateObject).nullish(),
        machines: z.array(stateObject).nullish(),
      }),
    )
    .nullish(),
})

/**
 * Maximum bytes of JSON. Far more than the machines of any shoot need. The limit matters because 1 MB of gzip may
 * contain 1 GB of spaces.
 */
const most = 256 * 1024 * 1024

/**
 * Reads `status.state` of a Worker, or its copy in a ShootState: base64 of gzip of JSON
 * (docs/contract/workers.md#machine-state). Returns undefined if there is no state. Throws an Error with the text of
 * the Go extension if it cannot be read.
 */
export const readMachineState = (state: unknown): MachineState | undefined => {
  const text = compressed(state)
  if (text === undefined) return undefined
  const value = parseJson(decompress(Buffer.from(text, 'base64')))
  const { error } = machineStateSchema.safeParse(value)
  if (error !== undefined) throw failedReading(z.prettifyError(error))
  // The unchanged value, because it is written back to an API server.
  const { machineDeployments } = value as z.infer<typeof machineStateSchema>
  return new Map(
    Object.entries(machineDeployments ?? {}).map(([name, { replicas, machineSets, machines }]) => [
      name,
      { replicas: replicas ?? 0, sets: machineSets ?? [], machines: machines ?? [] },
    ]),
  )
}

const shootState = z.looseObject({
  spec: z
    .looseObject({
      gardener: z
        .array(z.looseObject({ name: z.string().nullish(), type: z.string().nullish(), data: z.unknown() }))
        .nullish(),
    })
    .nullish(),
})

/** Returns the part of the garden's ShootState that `readMachineState` reads, or undefined if there is none. */
export const machineStateOf = (object: unknown): unknown =>
  shootState
    .safeParse(object)
    .data?.spec?.gardener?.find(({ name, type }) => name === 'machine-state' && type === 'machine-state')
    ?.data

const compressed = (state: unknown): string | undefined => {
  if (state === undefined || state === null) return undefined
  const { data, error } = z.looseObject({ state: z.string().nullish() }).safeParse(state)
  if (error !== undefined)
    throw failed(`failed unmarshalling JSON to compressed machine state structure: ${z.prettifyError(error)}`)
  return data.state || undefined
}

/** The ten bytes of the gzip header. */
const headLength = 10

const decompress = (bytes: Buffer): string => {
  if (bytes.length < headLength) throw noGzip('unexpected EOF')
  if (bytes.readUInt16BE(0) !== 0x1f8b) throw noGzip('gzip: invalid header')
  try {
    return gunzipSync(bytes, { maxOutputLength: most }).toString('utf8')
  } catch (error) {
    const message = messageOf(error)
    const reason = message === 'unexpected end of file' ? 'unexpected EOF' : message
    throw failed(`failed reading machine state data for decompression: ${reason}`)
  }
}

const parseJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    if (isDeeper(value)) throw new Error('too many levels of objects and lists')
    return value
  } catch (error) {
    throw failedReading(messageOf(error))
  }
}

const failed = (why: string) => new Error(`failed decompressing machine state: ${why}`)
const noGzip = (why: string) =>
  failed(`failed creating gzip reader for decompressing machine state data: ${why}`)
const failedReading = (why: string) => new Error(`failed unmarshalling machine state: ${why}`)
