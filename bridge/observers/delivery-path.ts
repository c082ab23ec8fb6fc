/** Reports if events reach functions, without waking one. Each way of delivery supplies its own. */
export interface DeliveryPath {
  /**
   * Returns the reason why events for objects of these types (`spec.type`) cannot be delivered at the moment. Returns
   * undefined if they can, or if that is unknown.
   * @param types default: all types
   */
  brokenFor(types?: readonly string[]): string | undefined
  /** The same for each function that has an object. Default: as `brokenFor` of the process. */
  brokenForObjects?(): string | undefined
}
