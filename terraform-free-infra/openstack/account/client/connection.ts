import type { FunctionDeps } from '../../../../shared/runtime/runtime.ts'

/** One HTTP request to a service of OpenStack. */
export interface OpenStackRequest {
  readonly method: Method
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly tls: TlsSettings
  readonly signal: AbortSignal
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How the certificates of a cloud are checked. */
export interface TlsSettings {
  /** Certificates in PEM that are trusted in place of the system's. */
  readonly ca?: string
  /** True: any certificate is accepted. */
  readonly insecure?: boolean
}

/** The answer to a request. `headers`: names in lower case. */
export interface OpenStackAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** Sends a request. Rejects if no answer arrives. */
export type SendRequest = (request: OpenStackRequest) => Promise<OpenStackAnswer>

/** How a process reaches OpenStack. */
export interface OpenStackConnection {
  readonly send: SendRequest
  /** The URL of Keystone in place of the one in each Secret, for a simulated cloud. */
  readonly authUrl?: string | undefined
  /** Called for each finished request, for metrics and reports. */
  readonly onRequest?: FunctionDeps['onRequest']
}
