import type { MachineClass } from '../../shared/contract/objects.ts'

/** The cloud API that the machine controller needs: one driver per cloud, as in the machine-controller-manager. */
export interface MachineCloud {
  /** The `provider` of its machine classes. */
  readonly provider: string
  /** Returns the virtual machine of a Machine; undefined if it does not exist. */
  find(machine: MachineRequest, signal: AbortSignal): Promise<FoundMachine | undefined>
  /**
   * Creates the virtual machine and resolves when the cloud shows it. A lost response does not create a second one.
   */
  create(machine: MachineRequest, signal: AbortSignal): Promise<CloudMachine>
  /** Configures an existing virtual machine. */
  initialize(machine: MachineRequest, signal: AbortSignal): Promise<void>
  /** Requests the removal without waiting for its end. Also resolves if the virtual machine does not exist. */
  remove(machine: MachineRequest, signal: AbortSignal): Promise<void>
  /** Returns the machines that a class can have created: names of Machines by provider id. */
  list(
    machineClass: MachineClass,
    secret: SecretData,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>
  /** Returns the power state that a kubelet would know, without a call. Undefined: not a machine of this cloud. */
  powerOf(providerId: string): Power | undefined
}

/** The power state of a virtual machine; `gone`: removed or being removed. */
export type Power = 'on' | 'off' | 'gone'

export interface MachineRequest {
  readonly name: string
  /** Absent: not created, or unknown. */
  readonly providerId: string | undefined
  readonly machineClass: MachineClass
  readonly secret: SecretData
}

/** The data of a class's Secrets: credentials and user data. */
export type SecretData = Readonly<Record<string, string>>

export interface CloudMachine {
  /** `aws:///eu-west-1/i-0123456789abcdef0` */
  readonly providerId: string
  /** The name of its future Node. */
  readonly nodeName: string
}

export interface FoundMachine extends CloudMachine {
  /** True if `initialize` is complete. */
  readonly initialized: boolean
}

/** The kind of failure. `ResourceExhausted` is retried later than the others. */
export type MachineErrorCode = 'Internal' | 'InvalidArgument' | 'ResourceExhausted' | 'OutOfRange'

/** A cloud refused or failed. The message appears in the status of the Machine. */
export class MachineCloudError extends Error {
  override readonly name = 'MachineCloudError'
  readonly code: MachineErrorCode

  constructor(code: MachineErrorCode, text: string, options?: ErrorOptions) {
    super(`machine codes error: code = [${code}] message = [${text}]`, options)
    this.code = code
  }
}
