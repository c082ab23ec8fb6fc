/** The hosted zone that the account of the sandbox owns; RFC 2606 keeps the domain for examples. */
export const furnishedZone = { name: 'example.com', id: 'Z0SANDBOXEXAMPLECOM' } as const
