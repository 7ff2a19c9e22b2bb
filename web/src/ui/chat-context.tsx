/** What every part of the page may ask for: the store, the runner and the words. */
import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';
import type { ChatState, ChatStore } from '../runtime/chat-store.ts';
import type { Runner } from '../runtime/runner.ts';
import { chooseLanguage, type Language, type Translate, translator } from '../texts/translate.ts';

export interface Chat {
  readonly store: ChatStore;
  readonly runner: Runner;
  readonly language: Language;
  readonly t: Translate;
}

const ChatContext = createContext<Chat | undefined>(undefined);

export interface ChatProviderProps {
  readonly store: ChatStore;
  readonly runner: Runner;
  readonly children: ReactNode;
}

export function ChatProvider({ store, runner, children }: ChatProviderProps) {
  const wish = useSyncExternalStore(store.subscribe, () => store.state.settings.language);
  const chat = useMemo(() => {
    const language = chooseLanguage(wish, navigator.languages);
    return { store, runner, language, t: translator(language) };
  }, [store, runner, wish]);
  return <ChatContext value={chat}>{children}</ChatContext>;
}

export function useChat(): Chat {
  const chat = useContext(ChatContext);
  if (chat === undefined) throw new TypeError('a part of the page stands outside of ChatProvider');
  return chat;
}

/** One part of the state; the component is drawn again when this part is another one. */
export function useChatState<Part>(select: (state: ChatState) => Part): Part {
  const { store } = useChat();
  return useSyncExternalStore(store.subscribe, () => select(store.state));
}
