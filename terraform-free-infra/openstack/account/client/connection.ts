import type { FunctionDeps } from '../../../../shared/runtime/runtime.ts'
import type { CloudHttpAnswer, CloudHttpRequest, SendCloudHttp } from '../../../cloud/http-sender.ts'

export type { TlsSettings } from '../../../cloud/http-sender.ts'

/** One HTTP request to a service of OpenStack. */
export interface OpenStackRequest extends CloudHttpRequest {
  readonly signal: AbortSignal
}

export type Method = CloudHttpRequest['method']

export type OpenStackAnswer = CloudHttpAnswer

export type SendRequest = SendCloudHttp

/** How a process reaches OpenStack. */
export interface OpenStackConnection {
  readonly send: SendRequest
  /** The URL of Keystone in place of the one in each Secret, for a simulated cloud. */
  readonly authUrl?: string | undefined
  /** Called for each finished request, for metrics and reports. */
  readonly onRequest?: FunctionDeps['onRequest']
}
