import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { signIn } from './api/api.ts'
import { HubProvider } from './api/hub.tsx'
import { App } from './app.tsx'
import { SignInPage } from './pages/sign-in.tsx'
import './styles/index.css'

// Dialogs insert a style element to stop the page behind them from scrolling; the content security policy wants this nonce on it.
const nonce = document.querySelector('meta[name=csp-nonce]')?.getAttribute('content')
if (nonce) setNonce(nonce)

const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, retry: 2, refetchOnWindowFocus: true } },
})

const place = document.getElementById('root')
if (place) {
  const root = createRoot(place)
  signIn().then((problem) =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={queries}>
          {problem === undefined ? (
            <HubProvider>
              <App />
            </HubProvider>
          ) : (
            <SignInPage problem={problem} />
          )}
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
}
