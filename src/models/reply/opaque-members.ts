/** Members of messages and calls that a provider wants back as it sent them: signatures and encrypted reasoning. Others stay here, since strict servers refuse what they do not know. */
export const OPAQUE_MEMBERS: ReadonlySet<string> = new Set([
  'reasoning_details',
  'reasoning_opaque',
  'reasoning_signature',
  'thinking_blocks',
  'extra_content',
  'provider_specific_fields',
])
