"""Texts: tokens of a vocabulary of one's own, a small transformer trained by hand and by the library's trainer."""
import time

import nltk
import sentencepiece
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from torch.utils.data import DataLoader
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast, Trainer, TrainingArguments

torch.manual_seed(0)
texts = ['the good film was good' if i % 2 else 'a bad play of bad people' for i in range(200)]
with open('corpus.txt', 'w') as file:
    file.write('\n'.join(texts))
words = Tokenizer(models.WordLevel(unk_token='[UNK]'))
words.pre_tokenizer = pre_tokenizers.Whitespace()
words.train_from_iterator(texts, trainers.WordLevelTrainer(special_tokens=['[PAD]', '[UNK]']))
tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, pad_token='[PAD]', unk_token='[UNK]')
sentencepiece.SentencePieceTrainer.train(input='corpus.txt', model_prefix='pieces', vocab_size=20, minloglevel=2)
assert sentencepiece.SentencePieceProcessor(model_file='pieces.model').encode('good film')
assert nltk.stem.PorterStemmer().stem('plays') == 'play' and nltk.word_tokenize('a b', preserve_line=True) == ['a', 'b']
begin = time.monotonic()
try:
    nltk.word_tokenize('Is it here? No.')
    raise AssertionError('there are no data of nltk')
except LookupError as e:
    assert 'punkt' in str(e) and time.monotonic() - begin < 30
assert nltk.download('punkt', quiet=True) is False and time.monotonic() - begin < 60


class Data(torch.utils.data.Dataset):
    def __len__(self):
        return len(texts)

    def __getitem__(self, i):
        read = tokenizer(texts[i], padding='max_length', max_length=8, truncation=True, return_tensors='pt')
        return {'input_ids': read['input_ids'][0], 'attention_mask': read['attention_mask'][0], 'labels': torch.tensor(i % 2)}


def network():
    return BertForSequenceClassification(BertConfig(vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
                                                    intermediate_size=32, max_position_embeddings=16))


if __name__ == '__main__':
    model = network()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for _ in range(2):
        for batch in DataLoader(Data(), batch_size=20, shuffle=True, num_workers=2):
            loss = model(**batch).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    model.save_pretrained('own')
    tokenizer.save_pretrained('own')
    assert BertForSequenceClassification.from_pretrained('own').config.hidden_size == 32
    trainer = Trainer(model=network(), args=TrainingArguments(output_dir='out', num_train_epochs=1, per_device_train_batch_size=20, report_to='none',
                                                              learning_rate=0.01, logging_steps=5), train_dataset=Data())
    trainer.train()
    print('Final Validation Performance:', loss.item())
