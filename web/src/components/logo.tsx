export function Logo() {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true">
      <path d="M2 1h5v16H2z" fill="currentColor" />
      <path d="M7 8h6v2H7z" fill="currentColor" />
      <path
        d="M13 1h1.6L17 5v8l-2.4 4H13z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinejoin="round"
      />
    </svg>
  )
}
