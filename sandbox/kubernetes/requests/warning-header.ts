import type { ApiResponse } from './api-request.ts'

/** Limits of kube-apiserver in characters (k8s.io/apiserver, `WithWarningRecorder`). */
const mostOfAll = 4096
const mostOfCut = 256

/**
 * Adds warnings for the client to a response, after its own. As in kube-apiserver, one with a control character is
 * dropped, and all are cut once they are too long together.
 */
export const warningHeader = (response: ApiResponse, warnings: readonly string[]): ApiResponse => {
  const values = shortened(warnings.filter(text => text !== '' && !/[\p{Cc}\p{Cs}]/u.test(text))).map(
    text => `299 - "${bytesOf(text.replaceAll(/["\\]/g, '\\$&'))}"`,
  )
  if (values.length === 0) return response
  const all = [response.headers.warning, ...values]
  return {
    ...response,
    headers: { ...response.headers, warning: all.filter(text => text !== undefined).join(', ') },
  }
}

const shortened = (texts: readonly string[]): readonly string[] => {
  const lengthOf = (each: readonly string[]) => each.reduce((sum, text) => sum + [...text].length, 0)
  if (lengthOf(texts) <= mostOfAll) return texts
  const cut = texts.map(text => [...text].slice(0, mostOfCut).join(''))
  return cut.filter((_, index) => lengthOf(cut.slice(0, index)) < mostOfAll)
}

/** A header of Node contains bytes as characters. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')
