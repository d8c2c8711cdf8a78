"""What metrics that Kaggle publishes import: errors for the participant or the host, and checks of what was handed in."""
import math


class ParticipantVisibleError(Exception):
    """What is wrong with a submission."""


class HostVisibleError(Exception):
    """What is wrong with the labels or the metric."""


def treat_as_participant_error(error_message, solution):
    """Whether an error comes from what was predicted: its message names no value of the labels."""
    values = {str(value) for column in solution.columns for value in solution[column].unique()[:1000] if isinstance(value, str)}
    return not any(value and value in error_message for value in values)


def safe_call_score(metric_function, solution, submission, **metric_func_kwargs):
    try:
        score = metric_function(solution, submission, **metric_func_kwargs)
    except Exception as error:
        raise ParticipantVisibleError(str(error)) from error
    if not math.isfinite(float(score)):
        raise ParticipantVisibleError('the score is %r' % score)
    return float(score)


def verify_valid_probabilities(df, df_name):
    """Each row has to be probabilities whose sum is 1."""
    if df.isna().any().any():
        raise ParticipantVisibleError('%s has empty values' % df_name)
    if float(df.min().min()) < 0 or float(df.max().max()) > 1:
        raise ParticipantVisibleError('%s has values that are no probabilities' % df_name)
    if not ((df.sum(axis=1) - 1).abs() < 1e-6).all():
        raise ParticipantVisibleError('the probabilities of a row of %s do not sum to 1' % df_name)
