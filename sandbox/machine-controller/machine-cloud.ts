import type { MachineClass } from '../../shared/contract/objects.ts'

/** What the machine controller needs of a cloud: one driver for each, as the machine-controller-manager has them. */
export interface MachineCloud {
  /** What the classes of its machines name as `provider`. */
  readonly provider: string
  /** The virtual machine of a Machine; undefined: there is none. */
  find(machine: MachineRequest, signal: AbortSignal): Promise<FoundMachine | undefined>
  /** Makes it, and resolves when the cloud shows it. An answer that is lost makes no second one. */
  create(machine: MachineRequest, signal: AbortSignal): Promise<CloudMachine>
  /** What has to be set of it once it is there. */
  initialize(machine: MachineRequest, signal: AbortSignal): Promise<void>
  /** Has it removed, without waiting for its end; resolves as well when there is none. */
  remove(machine: MachineRequest, signal: AbortSignal): Promise<void>
  /** The machines that a class can have made: names of Machines by provider ids. */
  list(
    machineClass: MachineClass,
    secret: SecretData,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>
  /** What its kubelet would know: a look behind the scenes, and no call. Undefined: it is no machine of this cloud. */
  powerOf(providerId: string): Power | undefined
}

/** Whether a virtual machine runs; `gone`: it was removed, or is being so. */
export type Power = 'on' | 'off' | 'gone'

/** A Machine as its cloud sees it. */
export interface MachineRequest {
  readonly name: string
  /** Absent: it has not been made, or nobody knows. */
  readonly providerId: string | undefined
  readonly machineClass: MachineClass
  readonly secret: SecretData
}

/** The texts in the Secrets of a class: credentials and user data. */
export type SecretData = Readonly<Record<string, string>>

export interface CloudMachine {
  /** `aws:///eu-west-1/i-0123456789abcdef0` */
  readonly providerId: string
  /** The name that its Node will have. */
  readonly nodeName: string
}

export interface FoundMachine extends CloudMachine {
  /** Whether all of `initialize` is done. */
  readonly initialized: boolean
}

/** What becomes of a failure: `ResourceExhausted` is tried again later than the others. */
export type MachineErrorCode = 'Internal' | 'InvalidArgument' | 'ResourceExhausted' | 'OutOfRange'

/** A cloud refused or failed; the message is the one that stands in the status of a Machine. */
export class MachineCloudError extends Error {
  override readonly name = 'MachineCloudError'
  readonly code: MachineErrorCode

  constructor(code: MachineErrorCode, text: string, options?: ErrorOptions) {
    super(`machine codes error: code = [${code}] message = [${text}]`, options)
    this.code = code
  }
}
