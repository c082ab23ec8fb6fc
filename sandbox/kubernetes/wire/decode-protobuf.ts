import { badRequest, unsupportedMediaType } from '../requests/api-error.ts'
import { decodeMessage, type MessageType } from './decode-message.ts'
import { createMessages, type FindMessage } from './messages.ts'

export const protobufType = 'application/vnd.kubernetes.protobuf'

/** The four bytes before every Kubernetes protobuf document. */
const magic = 'k8s\0'

/** `runtime.Unknown`: the type, and the bytes of the object. */
const envelope: MessageType = {
  1: {
    name: 'type',
    type: { message: { 1: { name: 'apiVersion', type: 'string' }, 2: { name: 'kind', type: 'string' } } },
  },
  2: { name: 'raw', type: 'bytes' },
}

/** Decodes a protobuf request body to its JSON object. Returns 415 for kinds with unknown messages. */
export const decodeProtobuf = (body: Uint8Array, find: FindMessage = createMessages()): unknown => {
  if (Buffer.from(body.subarray(0, magic.length)).toString('latin1') !== magic) {
    throw badRequest('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]')
  }
  try {
    const { type, raw } = decodeMessage(body.subarray(magic.length), envelope) as {
      readonly type?: { readonly apiVersion?: string; readonly kind?: string }
      readonly raw?: string
    }
    const { apiVersion, kind = '' } = type ?? {}
    const message = find(kind)
    if (message === undefined) throw unsupportedMediaType(['application/json', 'application/yaml'])
    return { apiVersion, kind, ...decodeMessage(Buffer.from(raw ?? '', 'base64'), message) }
  } catch (error) {
    if (error instanceof RangeError) throw badRequest(error.message)
    throw error
  }
}
