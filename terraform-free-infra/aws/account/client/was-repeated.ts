/**
 * Returns true if the SDK sent a call more than once. An attempt without an answer may have taken effect, too.
 *
 * @param answer the output of a command
 */
export const wasRepeated = ({
  $metadata: { attempts = 1 },
}: {
  readonly $metadata: { readonly attempts?: number | undefined }
}): boolean => attempts > 1
